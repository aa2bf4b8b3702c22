import { styleText } from 'node:util';

/**
 * Prints a line of progress, with the seconds since npm start was called.
 *
 * @param started milliseconds, as Date.now() gives them
 */
export function progress(started: number): (text: string) => void {
  return (text) => {
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${styleText('dim', `${seconds.padStart(6)} s`)}  ${text}`);
  };
}

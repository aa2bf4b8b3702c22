import type { Command } from '../../command';
import { complete } from './complete';
import type { Shell } from './scripts';

/**
 * Answers a completion script: a line `WORD<tab>DESCRIPTION` for each candidate, then a line `:file`, `:folder` or
 * `:none` that says what else the shell may offer.
 * @param args the shell, then the words up to the cursor
 */
export function answer([shell, ...words]: readonly string[], commands: readonly Command[]): string {
  const isBash = shell === ('bash' satisfies Shell);
  const whole = isBash ? joinEquals(words) : shell === ('powershell' satisfies Shell) ? withoutMark(words) : words;
  const { candidates, paths } = complete(whole, commands);
  // bash breaks words at "=", so there the candidate is what follows it.
  const cut = (word: string): string => (isBash ? word.replace(/^--[^=]+=/, '') : word);
  const lines = candidates.map(({ word, description }) => `${cut(word)}\t${description}`);
  return [...lines, `:${paths}`, ''].join('\n');
}

function joinEquals(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1];
    const continues = word === '=' || (previous === '=' && joined.length > 0);
    if (continues && joined.length > 0) joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
  }
  return joined;
}

// PowerShell drops an empty argument, so its script ends the last one with a bar.
function withoutMark(words: readonly string[]): readonly string[] {
  return words.map((word, index) => (index === words.length - 1 ? word.replace(/\|$/, '') : word));
}

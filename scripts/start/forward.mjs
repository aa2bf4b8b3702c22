import { connect } from 'node:net';
import { pipeline } from 'node:stream';

/**
 * Hands each connection of a server on, byte by byte, to where a URL leads.
 *
 * @param {import('node:net').Server} server one that listens
 * @param {string} url with host and, unless it is 443, port
 */
export function forward(server, url) {
  const { hostname: host, port } = new URL(url);
  server.on('connection', (near) => {
    // one side may have said all while the other still answers
    near.allowHalfOpen = true;
    const far = connect({ host, port: Number(port || 443), allowHalfOpen: true });
    near.setNoDelay(true);
    far.setNoDelay(true);
    /** @param {Error | null | undefined} error */
    const end = (error) => {
      if (error) {
        near.destroy();
        far.destroy();
      }
    };
    pipeline(near, far, end);
    pipeline(far, near, end);
  });
}

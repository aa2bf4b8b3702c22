import { connect, type Server } from 'node:net';
import { pipeline } from 'node:stream';

/**
 * Hands each connection of a server on, byte by byte, to where a URL leads.
 *
 * @param server one that listens
 * @param url with host and, unless it is 443, port
 */
export function forward(server: Server, url: string): void {
  const { hostname: host, port } = new URL(url);
  server.on('connection', (near) => {
    // one side may have said all while the other still answers
    near.allowHalfOpen = true;
    const far = connect({ host, port: Number(port || 443), allowHalfOpen: true });
    near.setNoDelay(true);
    far.setNoDelay(true);
    const end = (error: Error | null | undefined): void => {
      if (error) {
        near.destroy();
        far.destroy();
      }
    };
    pipeline(near, far, end);
    pipeline(far, near, end);
  });
}

/** How an object is: well, on its way, or in need of somebody. */
export type Health = 'good' | 'waiting' | 'bad' | 'unknown';

/** An object in the tree of a resource. */
export interface StatusNode {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly health: Health;
  /** A few words, such as "2/3 ready". */
  readonly summary: string;
  /** What it waits for, or what is wrong, in the words of the cluster. */
  readonly messages: readonly string[];
  readonly children: readonly StatusNode[];
}

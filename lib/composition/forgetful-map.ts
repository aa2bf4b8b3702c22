/** A map that keeps only the entries that were set last, up to a number of them: what is looked up again soon. */
export class ForgetfulMap<K, V> extends Map<K, V> {
  /** @param most how many entries are kept */
  constructor(private readonly most: number) {
    super();
  }

  /** Sets an entry, which becomes the newest, and forgets the oldest where there are too many. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.most && oldest.done !== true) this.delete(oldest.value);
    return this;
  }
}

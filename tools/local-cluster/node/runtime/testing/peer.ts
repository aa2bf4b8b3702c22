/** Calls between two processes over Node's channel: either side has methods that the other may call. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

interface Channel {
  send?(message: unknown, callback: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

type Message =
  | { readonly call: number; readonly method: string; readonly args: readonly unknown[] }
  | {
      readonly answer: number;
      readonly value?: unknown;
      readonly error?: { readonly name: string; readonly message: string };
    };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Peer {
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor(
    private readonly channel: Channel,
    private readonly methods: Methods,
  ) {
    channel.on('message', (message) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side is one of these as well
      void this.#hear(message as Message);
    });
    channel.once('disconnect', () => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error('the other process has gone'));
      this.#waiting.clear();
    });
  }

  call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
    this.#next += 1;
    const call = this.#next;
    return new Promise((resolve, reject) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller says what the method gives
      this.#waiting.set(call, { resolve: (value) => resolve(value as T), reject });
      this.#send({ call, method, args });
    });
  }

  async #hear(message: Message): Promise<void> {
    if ('call' in message) {
      this.#send({ answer: message.call, ...(await this.#run(message.method, message.args)) });
      return;
    }
    const waiting = this.#waiting.get(message.answer);
    this.#waiting.delete(message.answer);
    if (message.error === undefined) waiting?.resolve(message.value);
    else waiting?.reject(Object.assign(new Error(message.error.message), { name: message.error.name }));
  }

  async #run(method: string, args: readonly unknown[]): Promise<object> {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both sides are written for each other
      return { value: await this.methods[method]?.(...(args as never[])) };
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      return { error: { name, message } };
    }
  }

  #send(message: Message): void {
    // That the other side has gone is reported by `disconnect`.
    this.channel.send?.(message, () => undefined);
  }
}

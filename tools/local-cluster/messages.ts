/** What the owner of a control plane asks its supervisor to do. */
export type Command =
  | {
      readonly do: 'start';
      readonly id: number;
      readonly name: string;
      readonly file: string;
      readonly args: readonly string[];
      readonly log: string;
    }
  | { readonly do: 'signal'; readonly id: number; readonly name: string; readonly signal: NodeJS.Signals }
  | { readonly do: 'stop'; readonly id: number };

/** What the supervisor reports: the answer to a command, or that a process has ended. */
export type Report =
  | { readonly tell: 'done'; readonly id: number; readonly pid?: number }
  | { readonly tell: 'failed'; readonly id: number; readonly message: string }
  | { readonly tell: 'exit'; readonly name: string; readonly pid: number; readonly how: string };

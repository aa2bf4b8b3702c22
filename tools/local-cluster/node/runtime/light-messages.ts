/** What a node's runtime and the process of its light containers say to each other. */
export type LightCommand =
  | {
      readonly do: 'start';
      readonly id: string;
      readonly env: Readonly<Record<string, string>>;
      readonly logFile: string;
    }
  | { readonly do: 'signal'; readonly id: string; readonly signal: NodeJS.Signals };

export type LightReport =
  | { readonly tell: 'started'; readonly id: string }
  | { readonly tell: 'ended'; readonly id: string; readonly exitCode: number; readonly signal?: number };

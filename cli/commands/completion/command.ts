import type { Command } from '../../command';

/** `inferno completion`. */
export const completionCommand: Command = {
  name: 'completion',
  summary: 'Print the completion script of a shell.',
  description: 'Prints a script that lets a shell complete commands, flags, values and files of inferno.',
  examples: [
    {
      comment: 'bash, for this session; add the line to ~/.bashrc for all',
      command: 'source <(inferno completion bash)',
    },
    { comment: 'zsh, once; the folder must be in fpath', command: 'inferno completion zsh > ~/.zfunc/_inferno' },
    { comment: 'fish, once', command: 'inferno completion fish > ~/.config/fish/completions/inferno.fish' },
    {
      comment: 'PowerShell, in the profile',
      command: 'inferno completion powershell | Out-String | Invoke-Expression',
    },
  ],
  flags: [],
  argument: { name: 'SHELL', values: ['bash', 'zsh', 'fish', 'powershell'] },
  run: async (parsed, io) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
    const { scripts, shells } = require('./scripts') as typeof import('./scripts');
    const shell = shells.find((candidate) => candidate === parsed.arguments[0]);
    io.stdout.write(shell === undefined ? '' : scripts[shell]);
    return 0;
  },
};

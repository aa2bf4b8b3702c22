/** The shells that completion is for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

// Each script asks the program itself (see protocol.ts), so that it fits the release that is installed.

const bash = String.raw`# bash completion for inferno
_inferno() {
  local line paths=none
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) paths=${'$'}{line#:} ;;
      *) COMPREPLY+=("${'$'}{line%%$'\t'*}") ;;
    esac
  done < <("${'$'}{COMP_WORDS[0]}" __complete bash "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "$paths" = folder ] && type compopt >/dev/null 2>&1; then
    compopt -o dirnames 2>/dev/null
  fi
}
# Where there is no candidate, "default" lets bash complete files.
complete -o default -F _inferno inferno
`;

const zsh = String.raw`#compdef inferno
# zsh completion for inferno
_inferno() {
  local line word meaning paths=none
  local -a candidates
  for line in "${'$'}{(@f)$("${'$'}{words[1]}" __complete zsh "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :*) paths=${'$'}{line#:} ;;
      ?*)
        word=${'$'}{line%%$'\t'*} meaning=${'$'}{line#*$'\t'}
        candidates+=("${'$'}{word//:/\\:}${'$'}{meaning:+:$meaning}")
        ;;
    esac
  done
  (( $#candidates )) && _describe -t values inferno candidates
  case $paths in
    file) _files -g '*.(yaml|yml|json)(-.)' ;;
    folder) _files -/ ;;
  esac
}
if [ "$funcstack[1]" = _inferno ]; then
  _inferno
else
  compdef _inferno inferno
fi
`;

const fish = String.raw`# fish completion for inferno
function __inferno_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete fish $words[2..] "$current" 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path "$current"
            case ':folder'
                __fish_complete_directories "$current"
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c inferno -e
complete -c inferno -f -a '(__inferno_complete)'
`;

const powershell = String.raw`# PowerShell completion for inferno
Register-ArgumentCompleter -Native -CommandName inferno -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $program = $words[0]
  $before = @($words | Select-Object -Skip 1)
  & $program __complete powershell @before "$wordToComplete|" 2>$null | ForEach-Object {
    # Without a candidate PowerShell completes files itself.
    if ($_ -notmatch '^:') {
      $word, $description = $_ -split "${'`'}t", 2
      if (-not $description) { $description = $word }
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
    }
  }
}
`;

/** The script that a shell reads. */
export const scripts: { readonly [shell in Shell]: string } = { bash, zsh, fish, powershell };

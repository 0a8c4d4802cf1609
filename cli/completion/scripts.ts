export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that a shell reads: it asks the program for candidates, and offers files where there are none. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of cdk8s-aso: source <(cdk8s-aso completion bash)
_cdk8s_aso() {
  local IFS=$'\\n' line="\${COMP_LINE:0:COMP_POINT}" current
  local -a words
  IFS=' ' read -r -a words <<< "$line"
  [[ "$line" == *' ' ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  COMPREPLY=($(cdk8s-aso complete -- "\${words[@]:1}" 2>/dev/null))
  # bash replaces the part after the last : or = only.
  if [[ "$current" == *[=:]* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*[=:]}"}"}"); fi
  [[ "\${COMPREPLY[0]}" == *. ]] && compopt -o nospace
  return 0
}
complete -o default -F _cdk8s_aso cdk8s-aso`,
  zsh: `#compdef cdk8s-aso
# zsh completion of cdk8s-aso: source <(cdk8s-aso completion zsh)
_cdk8s_aso() {
  local -a found
  found=("\${(@f)$(cdk8s-aso complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} == 0 )); then _files; return; fi
  compadd -S '' -- "\${(@M)found:#*.}"
  compadd -- "\${(@)found:#*.}"
}
compdef _cdk8s_aso cdk8s-aso`,
  fish: `# fish completion of cdk8s-aso: cdk8s-aso completion fish | source
function __cdk8s_aso
  set -l words (commandline -opc) (commandline -ct)
  cdk8s-aso complete -- $words[2..-1] 2>/dev/null
end
complete -c cdk8s-aso -a '(__cdk8s_aso)'`,
};

/** The facts of a kind's version in ASO's reference. */
export interface Served {
  /** First release with the version. */
  readonly since?: string;
  /** Set if the removal of the version is announced. */
  readonly deprecated?: true;
}

/** Kind and version (`Vault/v1api20230701`) → its facts on the service's reference page. */
export function readReferencePage(markdown: string): Map<string, Served> {
  const served = new Map<string, Served>();
  let deprecated = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) deprecated = /^#+\s*Deprecated\s*$/.test(line);
    const row = /^\|\s*\[?(\w+)\]?[^|]*\|[^|]*\|\s*(\w+)\s*\|\s*(v[\d.]+[\w.-]*)?\s*\|/.exec(line);
    if (row) served.set(`${row[1]}/${row[2]}`, { ...(row[3] ? { since: row[3] } : {}), ...(deprecated ? { deprecated } : {}) });
  }
  return served;
}

/** A result of the preflight. */
export interface Finding {
  /** `stop`: the migration does not begin; `warning`: look at it first; `note`: as it should be. */
  readonly severity: 'stop' | 'warning' | 'note';
  /** The subject: `rights`, `objects`, … */
  readonly check: string;
  readonly message: string;
  /** The remedy; absent in notes. */
  readonly fix?: string;
}

export function stop(check: string, message: string, fix: string): Finding {
  return { severity: 'stop', check, message, fix };
}

export function warning(check: string, message: string, fix: string): Finding {
  return { severity: 'warning', check, message, fix };
}

export function note(check: string, message: string): Finding {
  return { severity: 'note', check, message };
}

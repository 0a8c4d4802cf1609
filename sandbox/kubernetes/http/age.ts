/** A duration as `kubectl` writes ages: `5s`, `3m20s`, `2h5m`, `4d`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return both(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return both(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return both(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  return both(Math.floor(days / 365), 'y', days % 365, 'd');
}

const both = (large: number, unit: string, small: number, smallUnit: string): string =>
  small ? `${large}${unit}${small}${smallUnit}` : `${large}${unit}`;

export const age = (timestamp: unknown, now: number): string =>
  typeof timestamp === 'string' ? humanDuration(now - Date.parse(timestamp)) : '<unknown>';

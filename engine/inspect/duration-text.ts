const UNITS: readonly (readonly [letter: string, milliseconds: number])[] = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1000]];

/** A duration in its two largest units: `3s`, `2m10s`, `5h`, `12d3h`. */
export function durationText(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds / 1000) * 1000);
  const first = UNITS.findIndex(([, length]) => whole >= length);
  if (first < 0) return '0s';
  let rest = whole;
  return UNITS.slice(first, first + 2).map(([letter, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? `${count}${letter}` : '';
  }).join('');
}

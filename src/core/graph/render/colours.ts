import { elementAt } from '../../../util/elements';
/** The colours of one service: a light ground, a line around it, and a dark text with enough contrast to the ground. */
export interface Colours {
  readonly ground: string;
  /** Lighter than the ground: for the box around owned resources. */
  readonly box: string;
  readonly line: string;
  readonly text: string;
}

/** Red is reserved for cycles. Text has a contrast of 7:1 or more on its ground (WCAG AAA). */
export const PALETTE: readonly Colours[] = [
  { ground: '#e2e8f0', box: '#f6f8fb', line: '#64748b', text: '#1e293b' }, // slate
  { ground: '#ffedd5', box: '#fff9f2', line: '#ea580c', text: '#7c2d12' }, // orange
  { ground: '#fef3c7', box: '#fffcf0', line: '#b7791f', text: '#713f12' }, // amber
  { ground: '#ecfccb', box: '#fafff0', line: '#65a30d', text: '#365314' }, // lime
  { ground: '#d1fae5', box: '#f2fef8', line: '#059669', text: '#064e3b' }, // emerald
  { ground: '#ccfbf1', box: '#f0fefb', line: '#0d9488', text: '#134e4a' }, // teal
  { ground: '#dbf1fe', box: '#f3fafe', line: '#0284c7', text: '#0c4a6e' }, // sky
  { ground: '#dbe7fe', box: '#f4f8ff', line: '#2563eb', text: '#1e3a8a' }, // blue
  { ground: '#ede9fe', box: '#f8f7ff', line: '#7c3aed', text: '#4c1d95' }, // violet
  { ground: '#fae8ff', box: '#fdf6ff', line: '#c026d3', text: '#701a75' }, // fuchsia
  { ground: '#fce0ef', box: '#fef5fa', line: '#db2777', text: '#831843' }, // pink
  { ground: '#efe3d6', box: '#faf6f1', line: '#8b5e34', text: '#4a2f16' }, // brown
];

/** For nodes that are no Azure resource, or of an unknown service. */
export const NEUTRAL: Colours = { ground: '#f8fafc', box: '#ffffff', line: '#94a3b8', text: '#334155' };

/** Chosen so that services that are often used together differ. */
const SEED = 1390;

/** The colours of a service: the same in every picture. */
export function coloursOf(service: string | undefined): Colours {
  return service === undefined ? NEUTRAL : elementAt(PALETTE, hash(service) % PALETTE.length);
}

/** FNV-1a, 32 bits. */
/* eslint-disable no-bitwise */
function hash(text: string): number {
  let value = (0x811c9dc5 ^ SEED) >>> 0;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}

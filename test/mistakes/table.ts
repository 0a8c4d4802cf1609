import { COMPILE } from './compile';
import { CONSTRUCT } from './construct';
import type { Mistake } from './mistake';
import { LINKS } from './synth-links';
import { NAMES } from './synth-names';
import { VALUES } from './synth-values';

/** Mistakes that Azure Service Operator, its webhooks or Azure would report only later. */
export const MISTAKES: readonly Mistake[] = [...COMPILE, ...CONSTRUCT, ...NAMES, ...LINKS, ...VALUES];

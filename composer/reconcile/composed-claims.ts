import { createHash } from 'node:crypto';
import type { ClaimRenderer } from './types';
import type { KubernetesObject, ObjectKey } from '../../engine/kubernetes';
import { APPLY_SET_PREFIX, KUBECTL_LAST_APPLIED, LIBRARY_PREFIX } from '../../src/azure/annotations';
import { firstOf } from '../../src/util/words';
import type { Problem } from '../apply/decide';
import { desiredObject, type DesiredObject } from '../apply/desired-object';
import { safeText } from '../apply/failures';
import type { ComposeProblem, RenderedClaim } from '../render/types';

/** A claim, composed. */
export interface Composed {
  readonly rendered: RenderedClaim;
  readonly objects: readonly DesiredObject[];
}

/** Problems that another try may not have: the machine was busy. */
const OF_THE_MOMENT: ReadonlySet<ComposeProblem['reason']> = new Set(['TooSlow', 'TooMuchMemory']);
/** A claim that takes too long is tried again at most so often. Milliseconds. */
const TRIED_AGAIN_AFTER_MS = 10 * 60_000;
/** Characters of all manifests that are kept. */
const MOST_KEPT = 64 * 1024 * 1024;
const MOST_ISSUES = 5;

interface Kept {
  readonly digest: string;
  readonly answer: Composed | Problem;
  readonly until: number;
  readonly size: number;
}

/** Composes claims, each content once: the same claim gives the same objects. */
export class ComposedClaims {
  private readonly kept = new Map<string, Kept>();
  private size = 0;

  public constructor(private readonly renderer: ClaimRenderer, private readonly now: () => number) {}

  /** @throws Error where the claim is not to blame */
  public async of(claim: KubernetesObject, key: ObjectKey): Promise<Composed | Problem> {
    const input = composeInput(claim);
    const id = `${key.group}/${key.kind}/${key.namespace}/${key.name}`;
    const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex');
    const known = this.kept.get(id);
    if (known?.digest === digest && this.now() < known.until) return known.answer;
    const { rendered, problem } = await this.renderer.compose(input);
    const until = problem && OF_THE_MOMENT.has(problem.reason) ? this.now() + TRIED_AGAIN_AFTER_MS : Infinity;
    const composed = problem ? problemOf(problem) : { rendered, objects: rendered.objects.map((object) => desiredObject(object, key)) };
    this.keep(id, { digest, answer: composed, until, size: JSON.stringify(composed).length });
    return composed;
  }

  public forget({ group, kind, namespace, name }: ObjectKey): void {
    this.drop(`${group}/${kind}/${namespace}/${name}`);
  }

  private keep(id: string, kept: Kept): void {
    this.drop(id);
    this.kept.set(id, kept);
    this.size += kept.size;
    // The newest stays, whatever its size: it is applied next.
    for (const oldest of this.kept.keys()) {
      if (this.size <= MOST_KEPT || oldest === id) break;
      this.drop(oldest);
    }
  }

  private drop(id: string): void {
    this.size -= this.kept.get(id)?.size ?? 0;
    this.kept.delete(id);
  }
}

export function isComposed(answer: Composed | Problem): answer is Composed {
  return 'rendered' in answer;
}

/** The part of a claim that `compose` may depend on: the composer's own marks change none of its objects. */
function composeInput({ apiVersion, kind, metadata, spec }: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, creationTimestamp, labels = {}, annotations = {} } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      labels: ofUsers(labels),
      annotations: ofUsers(annotations),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

function ofUsers(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts)
    .filter(([key]) => !key.startsWith(APPLY_SET_PREFIX) && !key.startsWith(LIBRARY_PREFIX) && key !== KUBECTL_LAST_APPLIED)
    .sort(([a], [b]) => (a < b ? -1 : 1)));
}

function problemOf(problem: ComposeProblem): Problem {
  const isTriedAgain = OF_THE_MOMENT.has(problem.reason);
  if (problem.reason === 'InvalidSpec') {
    const issues = problem.issues.map(({ path, message }) => `${path === '' ? 'spec' : path}: ${message}`);
    return { reason: problem.reason, message: safeText(firstOf(issues, MOST_ISSUES)), isTriedAgain };
  }
  const where = 'path' in problem && problem.path !== undefined && problem.path !== '' ? `${problem.path}: ` : '';
  return { reason: problem.reason, message: safeText(`${where}${problem.message}`), isTriedAgain };
}

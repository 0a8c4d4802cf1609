import type { ClaimKind } from './types';

type Named = Pick<ClaimKind, 'group' | 'kind'>;

/** The kinds in the order of a rollout: those that others read first, otherwise by name. The first by name begins a cycle. */
export function kindOrder<Kind extends Pick<ClaimKind, 'group' | 'kind' | 'reads'>>(kinds: readonly Kind[]): Kind[] {
  const left = [...kinds].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const ordered: Kind[] = [];
  while (left.length > 0) {
    // Claims of a kind that read each other have no order.
    const waits = (kind: Kind) => kind.reads.some((read) => left.some((other) => other !== kind && textOf(other) === textOf(read)));
    const free = left.findIndex((kind) => !waits(kind));
    ordered.push(...left.splice(Math.max(0, free), 1));
  }
  return ordered;
}

function textOf({ group, kind }: Named): string {
  return `${kind}.${group}`;
}

import { externalContextOf, externalKindOf, type ActionContext } from './action-context';
import { exportUnlessStopped } from './export-values';
import type { Observed, Outcome } from '../core/observed';

/** Makes the resource of a kind without ARM match the spec, reads it, or removes it. */
export async function actOnExternal(context: ActionContext, action: 'ensure' | 'observe' | 'remove', observed: Observed): Promise<Outcome> {
  const kind = externalKindOf(context);
  const input = externalContextOf(context, observed);
  switch (action) {
    case 'ensure':
      return { of: 'ensure', state: await kind.ensure(input) };
    case 'observe':
      return { of: 'observe', observation: await kind.observe(input) };
    case 'remove':
      await kind.remove(input);
      return { of: 'remove' };
  }
}

/** Writes the exports of a kind without ARM. */
export async function exportExternal(context: ActionContext, { object }: Observed): Promise<Outcome> {
  const { version, exporter, signal, credential, now } = context;
  const stopped = await exportUnlessStopped(object, 'export', now, () =>
    exporter({ object, version, armId: '', client: credential().client, signal }),
  );
  return stopped ?? { of: 'export' };
}

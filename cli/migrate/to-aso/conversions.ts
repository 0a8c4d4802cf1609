import { KubernetesError } from '../../../engine/kubernetes/types';
import { typeOf, type MigratedKind } from '../migrated-kinds';
import { waitUntil, type MigrationContext } from '../migration-context';

const SECONDS = 600;

/** Waits until ASO's webhooks convert every kind to its storage version. */
export async function asoConverts(context: MigrationContext, kinds: readonly MigratedKind[]): Promise<void> {
  for (const kind of kinds) {
    await waitUntil(context, SECONDS, async () => {
      try {
        await context.client.list(typeOf(kind, kind.to), { limit: 1 });
        return undefined;
      } catch (error) {
        if (!(error instanceof KubernetesError)) throw error;
        return `${kind.kind} cannot be read in ${kind.to} yet: ${error.message}`;
      }
    });
  }
}

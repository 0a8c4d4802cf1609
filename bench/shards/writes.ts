import type { AzureRequest } from '../shared/environment/environment';

/** Resources that were created more than once, and the counts of DELETE and of PUT that Azure took. */
export function writesOf(requests: readonly AzureRequest[]): { readonly twice: number; readonly deletes: number; readonly puts: number } {
  const created = new Map<string, number>();
  let [deletes, puts] = [0, 0];
  for (const { method, path, status = 0, created: isNew } of requests) {
    if (method === 'DELETE') deletes += 1;
    if (method !== 'PUT' || status >= 300) continue;
    puts += 1;
    if (isNew) created.set(path.toLowerCase(), (created.get(path.toLowerCase()) ?? 0) + 1);
  }
  return { twice: [...created.values()].filter((count) => count > 1).length, deletes, puts };
}

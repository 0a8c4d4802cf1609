import { either, OF_AZURE, ofEntries, TYPE } from './facts';
import { all, FALSE, not } from '../condition';
import type { Limit } from '../limit';
import type { TeamPolicy } from '../team-policy';

/** The kinds that the team may create. */
export function kindLimits({ entries }: TeamPolicy): Limit[] {
  const created = entries.filter(({ creates }) => creates);
  const referred = entries.filter(({ creates }) => !creates);
  return [
    ...referred.map((known): Limit => ({
      id: 'self-service-reference-only',
      concerns: ofEntries([known]),
      holds: FALSE,
      field: 'kind',
      found: TYPE,
      rule: `${known.entry.kind} of ${known.entry.group} is the platform's kind: refer to such objects by name or ARM id, but do not make or change them.`,
      option: 'catalogue',
    })),
    {
      id: 'self-service-kind',
      concerns: all(OF_AZURE, not(ofEntries(referred))),
      holds: ofEntries(created),
      field: 'kind',
      found: TYPE,
      rule: `is not in the team's catalogue, which has ${either(created.map(({ entry }) => entry.kind))}.`,
      option: 'catalogue',
    },
  ];
}

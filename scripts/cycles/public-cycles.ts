import type { PublicCycle } from './problems';

/** Another file that joins one of these cycles fails the check; so does one that is in none any more. */
export const PUBLIC_CYCLES: readonly PublicCycle[] = [
  {
    why: 'A resource grants roles on itself; a grant is a resource.',
    files: ['src/core/azure-resource.ts', 'src/core/grants/grant.ts', 'src/core/grants/role-grant.ts'],
  },
  {
    why: 'An environment has a naming strategy and conventions, which name things of teams in environments; a team in an environment has both.',
    files: [
      'src/platform/model/conventions.ts',
      'src/platform/model/environment.ts',
      'src/platform/model/team-in-environment.ts',
      'src/platform/model/team.ts',
      'src/platform/naming/default-platform-naming.ts',
      'src/platform/naming/default-service-naming.ts',
      'src/platform/naming/platform-naming.ts',
      'src/platform/naming/service-naming.ts',
    ],
  },
  {
    why: 'A service adds queues, topics, databases, storage accounts and other resources; each of them grants roles to services.',
    files: [
      'src/platform/service/database.ts',
      'src/platform/service/queue.ts',
      'src/platform/service/service.ts',
      'src/platform/service/shared-resource.ts',
      'src/platform/service/storage-account.ts',
      'src/platform/service/topic.ts',
    ],
  },
];

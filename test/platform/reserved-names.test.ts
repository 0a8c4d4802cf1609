import { environment } from './service-fixture';
import { shortHash } from '../../src/azure/names/fit-name';
import { patternOf, reservedNames } from '../../src/platform/policy/reserved-names';
import { DefaultPlatformNaming, PrefixedPlatformNaming, Team, TeamIdentities } from 'cdk8s-aso/platform';
import type { EnvironmentProps, ServiceOfTeam, TeamInEnvironment } from 'cdk8s-aso/platform';

const teamIn = (props: Partial<EnvironmentProps> = {}): TeamInEnvironment => new Team({ name: 'ledger' }).in(environment(props));
const matches = (names: readonly string[], name: string) => new RegExp(`^${patternOf(names)}$`).test(name);

test('the identity of the pods, those of services, and what they trust in every cluster', () => {
  expect(reservedNames(teamIn(), undefined)).toEqual({
    identities: ['id-ledger-dev-workload', 'id-ledger--*'],
    federations: [
      'id-ledger-dev-workload-aks-one-team',
      'id-ledger-dev-workload-aks-one-database-administrator',
      'id-ledger-dev-workload-aks-two-team',
      'id-ledger-dev-workload-aks-two-database-administrator',
      'id-ledger--*',
    ],
  });
});

test('shared identities have none for pods', () => {
  expect(reservedNames(teamIn({ teamIdentities: TeamIdentities.SHARED }), undefined)).toEqual({
    identities: ['id-ledger--*'], federations: ['id-ledger--*'],
  });
});

test('names with a prefix for all services', () => {
  const naming = new PrefixedPlatformNaming({ identityPrefix: 'devMid1401', sharedResourceGroup: 'devrg1401' });
  const { identities, federations } = reservedNames(teamIn({ naming }), undefined);
  expect(identities).toEqual(['devmid1401-ledger-workload', 'devmid1401-*']);
  expect(federations).toEqual(expect.arrayContaining(['devmid1401-ledger-workload-team', 'devmid1401-*']));
});

/** A strategy with the team at the end. */
class TeamLast extends DefaultPlatformNaming {
  public override serviceIdentity({ team, service }: ServiceOfTeam): string {
    return `id-${service}-${team.team.name}`;
  }
}

test('names that begin with the service end with the team', () => {
  const { identities } = reservedNames(teamIn({ naming: new TeamLast() }), undefined);
  expect(identities).toEqual(['id-ledger-dev-workload', 'id-*-ledger']);
  expect(['id-postings-ledger', 'id-postings-hr', 'id-ledger-dev', 'xid-a-ledger'].map((name) => matches(identities, name)))
    .toEqual([true, false, false, false]);
});

test('names of the policy take the place of those of identities', () => {
  const { identities, federations } = reservedNames(teamIn(), ['Mid.Postings', 'mid-*']);
  expect(identities).toEqual(['mid.postings', 'mid-*']);
  expect(federations).toContain('id-ledger--*');
  expect(['mid.postings', 'midxpostings', 'mid-a', 'mid'].map((name) => matches(identities, name))).toEqual([true, false, true, false]);
});

/** A strategy with a hash in the place of the service. */
class Hashed extends DefaultPlatformNaming {
  public override serviceIdentity({ team, service }: ServiceOfTeam): string {
    return `id-${team.team.name}-${shortHash(service)}`;
  }
}

test('what hashes of names have in common is no part of the form', () => {
  expect(reservedNames(teamIn({ naming: new Hashed() }), undefined).identities).toEqual(['id-ledger-dev-workload', 'id-ledger-*']);
});

const TABLE: Readonly<Record<string, { readonly identity: string } | undefined>> = { postings: { identity: 'mid-postings' } };

/** A strategy with a table of the services that there are. */
class Known extends DefaultPlatformNaming {
  public override serviceIdentity({ service }: ServiceOfTeam): string {
    return TABLE[service]!.identity;
  }

  public override serviceFederation({ service }: ServiceOfTeam): string {
    return `${TABLE[service]!.identity}-trust`;
  }
}

test('a strategy that knows only some services needs a list', () => {
  const team = teamIn({ naming: new Known() });
  expect(() => reservedNames(team, undefined)).toThrow(
    "SelfServicePolicy: platformIdentities: required, because the naming strategy has names only for services that it knows. List the names of the identities of team 'ledger' in 'dev'",
  );
  expect(reservedNames(team, ['mid-postings']).identities).toEqual(['mid-postings']);
});

import { ApiObject } from 'cdk8s';
import * as z from 'zod';
import { composed, type ClaimObject, type Composed } from './compose';
import { CUSTOM_ROLE, ENVIRONMENT, GROUP, SERVICE, sharedId, TEAM } from './definitions';
import { crdManifest } from '../../composer/definition/crd-manifest';
import { factsOf } from '../../composer/definition/facts-of';
import { AzureReference, BuiltInRole } from '../../src/core';
import { SharedService, type Environment } from '../../src/platform';
import { ClaimError } from '../../src/platform-api';
import { platformKinds } from '../../src/platform-kinds';

const QUOTAS = { product: { cpu: '16' }, data: { cpu: '64' }, partner: { cpu: '2' } };

/** A platform with three kinds of teams, and services that follow from them. */
const definitions = platformKinds({
  group: GROUP,
  composes: [{ group: '', kind: 'ConfigMap' }, { group: 'kusto.azure.com', kind: 'Database' }],
  environmentFields: z.object({ kusto: z.string().max(64).optional() }),
  environmentProps: (props, { spec: { kusto } }) => (kusto === undefined ? props : {
    ...props,
    shared: {
      ...props.shared,
      services: [...props.shared?.services ?? [], SharedService.custom({
        name: 'kusto',
        resource: AzureReference.fromArmId(sharedId('Microsoft.Kusto/clusters', kusto)),
        role: BuiltInRole.custom(CUSTOM_ROLE),
        resources: [{ group: 'kusto.azure.com', kind: 'Database' }],
      })],
    },
  }),
  teamFields: z.object({
    class: z.enum(['product', 'data', 'partner']).describe('The class of the team.'),
    costCentre: z.string().regex(/^\d{5}$/).default('00000'),
  }),
  teamSpec: ({ name, spec }) => {
    if (spec.class === 'partner' && spec.subscriptionId === undefined) throw new ClaimError([{ path: 'spec.subscriptionId', message: 'a partner has one of its own.' }]);
    return { ...spec, quotas: { ...QUOTAS[spec.class], ...spec.quotas }, tags: { name, costCentre: spec.costCentre } };
  },
  extendTeam: (scope, { spec }) => {
    new ApiObject(scope, 'facts', { apiVersion: 'v1', kind: 'ConfigMap', data: { class: spec.class } });
    return { outputs: { class: spec.class, costCentre: Number(spec.costCentre) } };
  },
  serviceFields: z.object({ tier: z.enum(['small', 'large']).default('small') }),
  serviceSpec: ({ name, namespace, spec, team }) => ({
    ...spec,
    tags: { tier: spec.tier, class: team.class, of: `${namespace}/${name}` },
  }),
  extendService: (_, { spec }) => ({ outputs: { tier: spec.tier } }),
});

const team = (spec: object) => ({ ...TEAM, spec: { ...TEAM.spec, quotas: undefined, ...spec } });
const DATA = team({ class: 'data', costCentre: '12345' });
const objectOf = ({ objects }: Pick<Composed, 'objects'>, kind: string) => objects.find((one) => one.kind === kind);

test('the spec of a team follows from its own fields, and the status has them', () => {
  const made = composed(definitions, DATA, [ENVIRONMENT]);
  expect(made.issues).toBeUndefined();
  expect(objectOf(made, 'ResourceQuota')).toMatchObject({ spec: { hard: { cpu: '64' } } });
  expect(objectOf(made, 'ResourceGroup')).toMatchObject({ spec: { tags: { name: 'ledger', costCentre: '12345' } } });
  expect(objectOf(made, 'ConfigMap')).toMatchObject({ data: { class: 'data' } });
  expect(made.composition.outputs).toMatchObject({ namespace: 'ledger', class: 'data', costCentre: 12345 });
  const own = composed(definitions, team({ class: 'product', quotas: { cpu: 3 } }), [ENVIRONMENT]);
  expect(objectOf(own, 'ResourceQuota')).toMatchObject({ spec: { hard: { cpu: '3' } } });
  expect(own.composition.outputs).toMatchObject({ costCentre: 0 });
});

test('the spec of a service follows from its own fields and from those of its team', () => {
  const { objects, composition, issues } = composed(definitions, { ...SERVICE, spec: { ...SERVICE.spec, tier: 'large' } }, [ENVIRONMENT, DATA]);
  expect(issues).toBeUndefined();
  expect(objectOf({ objects }, 'StorageAccount')).toMatchObject({ spec: { tags: { tier: 'large', class: 'data', of: 'ledger/postings' } } });
  expect(composition.outputs).toMatchObject({ 'tier': 'large', 'queue-intake': 'ledger--intake' });
});

test('an environment has what only code can say', () => {
  const environment = { ...ENVIRONMENT, spec: { ...ENVIRONMENT.spec, kusto: 'dec' } };
  const analysts = team({ class: 'data', uses: ['kusto'] });
  const claim = { ...SERVICE, spec: { resources: [{ on: 'kusto', name: 'sales', settings: { readWriteDatabase: { kind: 'ReadWrite', location: 'uksouth' } } }] } };
  const made = composed(definitions, claim, [environment, analysts]);
  expect(made.issues).toBeUndefined();
  expect(objectOf(made, 'Database')).toMatchObject({ spec: { azureName: 'ledger--sales', owner: { armId: sharedId('Microsoft.Kusto/clusters', 'dec') } } });
  expect(composed(definitions, analysts, [ENVIRONMENT]).issues?.map(({ path }) => path)).toEqual(['spec.uses[0]']);
});

test.each<[string, ClaimObject, readonly ClaimObject[], string, RegExp]>([
  ['a wrong value of an own field', team({ class: 'sales' }), [], 'spec.class', /product/],
  ['a missing own field', team({}), [], 'spec.class', /./],
  ['a wrong value of the kind', team({ class: 'data', uses: 'redis' }), [], 'spec.uses', /has to be a list/],
  ['an unknown field', team({ class: 'data', costCenter: '1' }), [], 'spec.costCenter', /Did you mean 'costCentre'\?.* There are: environment, .*, class, costCentre\.$/],
  ['a problem that the function finds', team({ class: 'partner' }), [], 'spec.subscriptionId', /a partner has one/],
  ['a service of a team with a problem', SERVICE, [team({ class: 'partner' })], 'metadata.namespace', /^Team 'ledger' is not right, .*spec\.subscriptionId: a partner/],
  ['a service of a team without its own field', SERVICE, [TEAM], 'metadata.namespace', /^Team 'ledger' is not right, .*spec\.class/],
])('%s is refused, with its place', (_, claim, others, path, message) => {
  expect(composed(definitions, claim, [ENVIRONMENT, ...others]).issues).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test('own fields are in the CRD, and take no name of the kind', () => {
  const manifests = factsOf(definitions).map((facts) => crdManifest(facts));
  expect(manifests.flatMap(({ problems }) => problems)).toEqual([]);
  const schemaOf = (spec: object) => ({ versions: [{ schema: { openAPIV3Schema: { properties: { spec } } } }] });
  expect(manifests[1]!.manifest.spec).toMatchObject(schemaOf({ required: ['class'] }));
  expect(manifests[1]!.manifest.spec).toMatchObject(schemaOf({
    properties: {
      class: { type: 'string', enum: ['product', 'data', 'partner'], description: 'The class of the team.' },
      costCentre: { type: 'string', default: '00000' },
      uses: { type: 'array' },
    },
  }));
  expect(() => platformKinds({ group: GROUP, teamFields: z.object({ quotas: z.string() }) }))
    .toThrow('platformKinds: teamFields.quotas: the kind has a field of this name.');
  expect(() => platformKinds({ group: GROUP, environment: {} as Environment, environmentProps: (props) => props })).toThrow('platformKinds: environmentProps: is for Environment objects');
  expect(() => platformKinds({ group: GROUP, serviceFields: z.string() })).toThrow('platformKinds: serviceFields: has no named fields.');
});

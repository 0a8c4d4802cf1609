import { App, Chart } from 'cdk8s';
import { app, CLIENT, CREDENTIAL, deliverIn, environment, exported, IDENTITY, INCOMPLETE, READY, team, written } from './delivery-fixture';
import { CredentialDelivery, Team, TeamOnboarding } from '../../src/platform';
import type { FluxStagesOptions } from '../../src/platform';
import { ResourceGroup } from '../../src/services/resources/resource-group';

const source = { kind: 'GitRepository', name: 'platform', namespace: 'platform' };

function synthesized(
  more: Partial<FluxStagesOptions> = {},
  and: (chart: Chart, root: App) => void = () => undefined,
): Record<string, any[]> {
  const root = app();
  const chart = new Chart(root, 'teams');
  const delivery = CredentialDelivery.flux({ kustomizations: new Chart(root, 'flux'), source, path: './dist/', ...more });
  deliverIn(chart, delivery);
  and(chart, root);
  return written(root);
}

const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Flux's substitution, as far as it is used: what is missing is an empty text, `:=` gives a default for a missing or empty one. */
function substituted(objects: any[], variables: Record<string, string>): any[] {
  const text = JSON.stringify(objects).replace(
    /\$\{([_a-zA-Z][_a-zA-Z0-9]*)(?::=([^}]*))?\}/g,
    (_all, name: string, other = '') => variables[name] || other,
  );
  return JSON.parse(text);
}

/** Whether the API server takes an object's labels. */
const isTaken = (object: any) =>
  Object.values<string>(object.metadata.labels ?? {}).every((value) => value.length <= 63 && LABEL_VALUE.test(value));

describe('Flux in two stages', () => {
  const folders = synthesized();
  const second = folders[`${IDENTITY}-credential`];
  const [later, first] = folders.flux!;

  test('golden objects', () => {
    expect({ flux: folders.flux, second }).toMatchSnapshot();
  });

  test('the second waits for the first, which waits for the identity', () => {
    expect(first).toMatchObject({ metadata: { name: 'teams', namespace: 'platform' }, spec: { wait: true, path: './dist/teams' } });
    expect(later.spec).toMatchObject({ dependsOn: [{ name: 'teams', namespace: 'platform' }], path: `./dist/${IDENTITY}-credential` });
    expect(folders.teams!.map(({ kind }) => kind)).toEqual(['Namespace', 'UserAssignedIdentity']);
  });

  test('the variable is required, and its ConfigMap has nothing else in it', () => {
    const identity = folders.teams!.find(({ kind }) => kind === 'UserAssignedIdentity');
    const [{ kind, name, ...rest }, ...others] = later.spec.postBuild.substituteFrom;
    expect([kind, others, rest]).toEqual(['ConfigMap', [], {}]);
    const { namespace } = later.metadata;
    expect(exported(identity, READY).configMaps).toMatchObject([{ metadata: { name, namespace }, data: { AZURE_CLIENT_ID: CLIENT } }]);
  });

  test.each(INCOMPLETE)('with %s there is no ConfigMap, so that nothing is applied', (_what, status) => {
    const identity = folders.teams!.find(({ kind }) => kind === 'UserAssignedIdentity');
    expect(() => exported(identity, status)).toThrow();
  });

  test('with the client id, a whole credential', () => {
    const [secret, account] = substituted(second!, { AZURE_CLIENT_ID: CLIENT });
    expect(secret).toMatchObject({ kind: 'Secret', metadata: { name: 'aso-credential', namespace: 'ledger' }, stringData: CREDENTIAL });
    expect(account).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: 'ledger', annotations: { 'azure.workload.identity/client-id': CLIENT } },
    });
    expect([secret, account].every(isTaken)).toBe(true);
  });

  test.each([[{}], [{ AZURE_CLIENT_ID: '' }], [{ OTHER: 'x' }]])(
    'with the variables %j the API server refuses every object',
    (variables) => {
      expect(substituted(second!, variables as Record<string, string>).filter(isTaken)).toEqual([]);
    },
  );

  test('paths follow the order that dependencies between charts give', () => {
    const ordered = synthesized({}, (chart, root) => new Chart(root, 'after').addDependency(chart));
    const flux = Object.entries(ordered).find(([name]) => name.endsWith('-flux'))![1];
    const paths = flux.map(({ spec }) => spec.path.replace('./dist/', ''));
    expect(paths).toHaveLength(2);
    for (const path of paths) expect(Object.keys(ordered)).toContain(path);
    expect(paths[0]).toMatch(/^\d{4}-/);
  });

  test('several teams of a chart share the first stage', () => {
    const root = app();
    const teams = new Chart(root, 'teams');
    const delivery = CredentialDelivery.flux({ kustomizations: new Chart(root, 'flux'), source, path: './dist' });
    for (const name of ['ledger', 'tax']) {
      deliverIn(teams, delivery, { team: new Team({ name }).in(environment), identityName: `id-${name}`, serviceAccounts: [] });
    }
    const { flux } = written(root);
    expect(flux!.map(({ metadata }) => metadata.name)).toEqual(['id-ledger-credential', 'id-tax-credential', 'teams']);
  });

  test('a first stage of the platform\'s own', () => {
    const folders2 = synthesized({ dependsOn: [{ name: 'identities' }], interval: '5m', retryInterval: '10s' });
    expect(folders2.flux).toHaveLength(1);
    expect(folders2.flux?.[0].spec).toMatchObject({ dependsOn: [{ name: 'identities' }], interval: '5m', retryInterval: '10s' });
  });

  test('the health of the identities, if it is asked for', () => {
    expect(first.spec).not.toHaveProperty('healthCheckExprs');
    const [, stage] = synthesized({ health: {} }).flux!;
    expect(stage.spec.healthCheckExprs).toMatchObject([{ kind: 'UserAssignedIdentity', current: expect.stringContaining("'True'") }]);
  });

  test('what needs the credential must not be waited for before it is there', () => {
    const needing = (chart: Chart) => new ResourceGroup(chart, 'group', { location: 'uksouth', metadata: { namespace: team.namespace } });
    expect(() => synthesized({}, needing)).toThrow(/'teams\/group' needs the credential of 'ledger'.*would wait forever.*another chart/s);
    expect(() => synthesized({ dependsOn: [{ name: 'identities' }] }, needing)).not.toThrow();
  });

  test('objects that cdk8s would write into one file are refused', () => {
    const root = app();
    const chart = new Chart(root, 'teams');
    const delivery = CredentialDelivery.flux({ kustomizations: new Chart(root, 'flux'), source, path: './dist' });
    for (const name of ['ledger', 'tax']) new TeamOnboarding(chart, name, { team: new Team({ name }).in(environment), delivery });
    expect(() => written(root)).toThrow(
      /are both written to the file LimitRange\.team, and one would be lost\. Put them into different charts, e\.g\. one for each team\./,
    );
  });

  test('a chart for each team, onboarded', () => {
    const root = app();
    const delivery = CredentialDelivery.flux({ kustomizations: new Chart(root, 'flux'), source, path: './dist' });
    for (const name of ['ledger', 'tax']) {
      new TeamOnboarding(new Chart(root, name), name, { team: new Team({ name }).in(environment), delivery });
    }
    const made = written(root);
    const flux = Object.entries(made).find(([name]) => name.endsWith('flux'))![1];
    expect(flux.map(({ metadata }) => metadata.name)).toEqual([
      'id-ledger-dev-credential',
      'id-ledger-dev-workload-credential',
      'id-tax-dev-credential',
      'id-tax-dev-workload-credential',
      'ledger',
      'tax',
    ]);
    for (const { spec } of flux) expect(Object.keys(made)).toContain(spec.path.replace('./dist/', ''));
    for (const [index, { spec }] of flux.slice(0, 4).entries()) {
      const seconds = made[spec.path.replace('./dist/', '')];
      expect(seconds!.map(({ kind }) => kind)).toEqual([index % 2 === 0 ? 'Secret' : 'ServiceAccount']);
    }
  });

  test('an app that writes its charts into one folder is refused', () => {
    const root = new App();
    deliverIn(new Chart(root, 'teams'), CredentialDelivery.flux({ kustomizations: new Chart(root, 'flux'), source, path: './dist' }));
    expect(() => written(root)).toThrow(/FOLDER_PER_CHART_FILE_PER_RESOURCE/);
  });

  test('Kustomizations in the chart that they apply are refused', () => {
    const chart = new Chart(app(), 'teams');
    expect(() => deliverIn(chart, CredentialDelivery.flux({ kustomizations: chart, source, path: './dist' }))).toThrow(
      /kustomizations: is in the chart of the identity/,
    );
  });
});

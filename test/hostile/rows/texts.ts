import { until } from '../../setup/until';
import type { Attack } from '../attack';
import { OPERATOR_NAMESPACE, VERSIONS, type HostileEnvironment } from '../hostile-environment';
import { pause, Team } from '../team';

const environment = { kinds: { FlexibleServer: VERSIONS.FlexibleServer } };
const MEGABYTE = 1_000_000;
/** Of a condition and of an event. */
const LONGEST_MESSAGE = 32_768;
const LONGEST_EVENT_BYTES = 1_024;
const LONGEST_LOG_LINE = 40_000;
/** Controls but for the ends of lines and tabs, characters without width and those that turn the direction of a text. */
const UNSEEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

type Row = Pick<Attack, 'id' | 'who' | 'what' | 'holds'> & { readonly run: (team: Team) => Promise<void> };

/** Rows of this area share the environment. */
function row({ id, who, what, holds, run }: Row): Attack {
  return { id, who, what, holds, shares: true, environment, run: async (shared) => run(await Team.of(shared, id)) };
}

function linesAbout(team: Team): readonly string[] {
  return team.environment.controller!.log.split('\n').filter((line) => line.includes(team.namespace));
}

/** Everything that the controller has said about the objects of a team: conditions, events and log lines. */
async function eventsAbout(
  team: Team,
  kind = 'ResourceGroup',
): Promise<Record<'events' | 'lines', readonly string[]> & { readonly message: string }> {
  await until('an event tells', async () => (await team.environment.events(team.namespace)).length > 0);
  const { message = '' } = (await team.environment.ready(kind, team.namespace, team.namespace))!;
  return { message, events: await team.environment.events(team.namespace), lines: linesAbout(team) };
}

async function expectShort(team: Team): Promise<void> {
  const { message, events, lines } = await eventsAbout(team);
  expect(message.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
  for (const event of events) expect(Buffer.byteLength(event)).toBeLessThanOrEqual(LONGEST_EVENT_BYTES);
  for (const line of lines) expect(line.length).toBeLessThan(LONGEST_LOG_LINE);
}

/** A row in which Azure refuses a PUT with a message. */
async function refusedWith(team: Team, message: string): Promise<void> {
  team.disturb({ method: 'PUT', status: 400, code: 'BadRequest', message });
  await team.group();
  await team.becomes(({ reason }) => reason === 'BadRequest');
}

const PASSWORD = 'Tr0ub4dor&3 "größer" <50% + mehr/als:genug>';

/** Forms in which proxies and services echo what they were sent. */
function echoesOf(secret: string): readonly string[] {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
    JSON.stringify(secret).slice(1, -1),
    html,
  ];
}

const LEASE = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };
const LEASE_NAME = 'controllers-leader-election-azinfra-generated';
/** The term of a leader ends 10 s after its last renewal. */
const LONGER_THAN_A_TERM = 12;

async function takeLease({ client }: HostileEnvironment): Promise<void> {
  const lease = (await client.get(LEASE, LEASE_NAME, OPERATOR_NAMESPACE))!;
  await client.replace(LEASE, {
    ...lease,
    spec: { ...lease.spec, holderIdentity: 'somebody', renewTime: new Date().toISOString().replace('Z', '000Z') },
  });
}

/** Texts of others, and a leader that was deposed. */
export const texts: readonly Attack[] = [
  row({
    id: 'error-of-pem-beginnings',
    who: 'a service of Azure that quotes what a tenant has sent',
    what: 'refuses a PUT with a message of 440 KB of `-----BEGIN `',
    holds: 'condition, events and log lines are cut to their sizes, and the controller goes on',
    run: async (team) => {
      await refusedWith(team, '-----BEGIN '.repeat(40_000));
      await expectShort(team);
    },
  }),
  row({
    id: 'error-of-a-megabyte',
    who: 'a service of Azure',
    what: 'refuses a PUT with a message of 1 MB',
    holds: 'condition, events and log lines are cut to their sizes, and say how long the message was',
    run: async (team) => {
      await refusedWith(team, 'no '.repeat(MEGABYTE / 3));
      await expectShort(team);
      expect((await eventsAbout(team)).message).toContain('[truncated: ');
    },
  }),
  row({
    id: 'api-server-error-of-a-megabyte',
    who: 'a webhook of another operator',
    what: 'refuses every write of one object with a message of 1 MB',
    holds: 'the log lines about it are cut to their size, and others are Ready',
    run: async (team) => {
      const { proxy } = team.environment;
      const objects = `/namespaces/${team.namespace}/resourcegroups/`;
      const refusal = { status: 500, message: 'denied '.repeat(MEGABYTE / 7) };
      proxy.disturb = ({ method, path }) => (method !== 'GET' && path.includes(objects) ? refusal : undefined);
      await team.group();
      await until('the log tells', () => linesAbout(team).some((line) => line.includes('denied denied')));
      for (const line of linesAbout(team)) expect(line.length).toBeLessThan(LONGEST_LOG_LINE);
      proxy.disturb = undefined;
      await team.isReady();
    },
  }),
  row({
    id: 'error-that-paints-on-terminals',
    who: 'a service of Azure that quotes what a tenant has sent',
    what: 'refuses a PUT with a message that has a line like one of the log, sequences for terminals, and characters that turn the direction of a text',
    holds:
      'the log has no such line; all characters that are not seen are shown as their codes, in the log, in the condition and in events',
    run: async (team) => {
      await refusedWith(team, 'x\n2026-01-01T00:00:00.000Z INFO  forged\u001b[2J\u001b]0;title\u0007 \u202eelbisivni\u202c a\u200bb \u2066c\u2069 d\u0085e\u2028f');
      await until('the log tells', () => linesAbout(team).some((line) => line.includes('elbisivni')));
      const { message, events, lines } = await eventsAbout(team);
      expect(team.environment.controller!.log.split('\n').filter((line) => line.startsWith('2026-01-01T00:00:00.000Z'))).toEqual([]);
      for (const text of [message, ...events, ...lines]) expect(UNSEEN.exec(text)).toBeNull();
      expect(message).toContain('\\u202eelbisivni');
    },
  }),
  row({
    id: 'a-secret-in-other-forms',
    who: 'a proxy before Azure',
    what: 'answers a PUT with a page that echoes the password of its body: as it is, percent-encoded, in base64, in hexadecimal digits, as JSON and as HTML',
    holds: 'none of the forms is in the condition, in events or in the log',
    run: async (team) => {
      await team.readyGroup();
      await team.environment.secret(team.namespace, 'password', { password: PASSWORD });
      team.proxyAnswers('PUT', 502, `/flexibleservers/${team.namespace}`, `<html>cannot forward ${echoesOf(PASSWORD).join(' | ')}</html>`);
      const login = { administratorLogin: 'admin', administratorLoginPassword: { name: 'password', key: 'password' } };
      const size = { sku: { name: 'Standard_B1ms', tier: 'Burstable' }, storage: { storageSizeGB: 32 } };
      await team.object('FlexibleServer', team.namespace, {
        location: 'uksouth',
        owner: { name: team.namespace },
        version: '16',
        ...login,
        ...size,
      });
      await team.isReported(['cannot forward'], 'FlexibleServer');
      const { message, events } = await eventsAbout(team, 'FlexibleServer');
      const said = [message, ...events, team.environment.controller!.log].join('\n');
      for (const form of echoesOf(PASSWORD)) expect(said).not.toContain(form);
    },
  }),
  {
    id: 'a-leader-that-was-frozen',
    who: 'a hypervisor',
    what: 'stops the leader for 12 s, in which another replica takes the Lease; then an object waits for the one that wakes up',
    holds: 'the deposed leader sends nothing to Azure and writes nothing to the API server, and ends',
    environment: { flags: ['--enable-leader-election'] },
    mayRestart: true,
    neighbourWithinBeats: 1_800,
    // The process that answers is stopped.
    healthWithinBeats: 1_200,
    async run(shared) {
      const team = await Team.of(shared, 'a-leader-that-was-frozen');
      const { controller, proxy } = shared;
      controller!.signal('SIGSTOP');
      await pause(LONGER_THAN_A_TERM);
      await takeLease(shared);
      await team.group();
      const before = proxy.requests.length;
      const { starts } = controller!;
      controller!.signal('SIGCONT');
      await until('the deposed leader has ended', () => controller!.starts > starts);
      expect(controller!.endings.join()).toContain('leader election lost');
      const written = proxy.requests
        .slice(before)
        .filter(({ method, resource }) => !['GET', 'POST'].includes(method) && resource !== 'leases');
      expect([written, team.writes()]).toEqual([[], []]);
      await team.isReady('ResourceGroup', team.namespace);
    },
  },
];

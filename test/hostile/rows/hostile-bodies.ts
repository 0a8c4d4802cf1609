import type { KubernetesObject } from '../../../engine/kubernetes';
import type { HostileBody } from '../../setup/hostile-answers';
import type { Attack } from '../attack';
import { VERSIONS, type HostileEnvironment } from '../hostile-environment';

const environment = {
  env: { ALLOW_MULTI_ENV_MANAGEMENT: 'true' },
  kinds: { SecurityGroup: VERSIONS.SecurityGroup },
  hostileServer: true,
};
const SECRET = 'the-secret-of-a-hostile-team';
const CLIENT = '11111111-2222-3333-4444-555555555555';
/** Objects at a time: the memory of one answer is not what ends a process. */
const OBJECTS = 20;
/** Memory of the container in the installation: `src/operator`. MiB. */
const MEMORY = 512;

const WHAT: Readonly<Record<HostileBody, string>> = {
  bomb: 'answers with 600 KB of gzip that are 600 MB',
  drip: 'answers with a byte now and then',
  endless: 'answers with a body without end',
  cut: 'answers with gzip that is cut off in the middle',
};

/** The answers of one road, with all bodies. */
interface Road {
  readonly id: string;
  readonly who: string;
  /** Text of the condition. */
  readonly says: Readonly<Partial<Record<HostileBody, string>>>;
  /** Creates objects that take the road; answers their kind. */
  make(shared: HostileEnvironment, namespace: string, body: HostileBody): Promise<string>;
}

async function ownCloud(shared: HostileEnvironment, namespace: string, tenant: string): Promise<void> {
  const values = {
    AZURE_SUBSCRIPTION_ID: shared.azure.env.AZURE_SUBSCRIPTION_ID,
    AZURE_TENANT_ID: tenant,
    AZURE_CLIENT_ID: CLIENT,
    AZURE_CLIENT_SECRET: SECRET,
    AZURE_RESOURCE_MANAGER_ENDPOINT: shared.hostileServer!.url,
    AZURE_RESOURCE_MANAGER_AUDIENCE: shared.hostileServer!.url,
    AZURE_AUTHORITY_HOST: shared.hostileServer!.url,
  };
  // The other values are in messages.
  shared.secrets.push(SECRET);
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  await shared.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aso-credential', namespace }, data } as KubernetesObject);
}

const ROADS: readonly Road[] = [
  {
    id: 'token-endpoint',
    who: 'a tenant whose credential names an authority of its own',
    says: { bomb: 'more than 65536 bytes', endless: 'more than 65536 bytes', cut: 'broke off', drip: 'no answer within 30 s' },
    make: async (shared, namespace, body) => {
      await ownCloud(shared, namespace, `${body}.example`);
      await groups(shared, namespace, 'group');
      return 'ResourceGroup';
    },
  },
  {
    id: 'resource-manager',
    who: 'a tenant whose credential names an Azure Resource Manager of its own',
    says: { bomb: 'more than 4194304 bytes', endless: 'more than 4194304 bytes', cut: 'broke off' },
    make: async (shared, namespace, body) => {
      await ownCloud(shared, namespace, 'tenant.example');
      await groups(shared, namespace, body);
      return 'ResourceGroup';
    },
  },
  {
    id: 'graph',
    who: 'a proxy before Microsoft Graph',
    says: { bomb: 'more than 17825792 bytes', endless: 'more than 17825792 bytes', cut: 'broke off' },
    make: async (shared, namespace, body) => {
      await each((index) => shared.object(namespace, 'SecurityGroup', `object-${index}`, {
        displayName: `${body} ${index}`, mailNickname: `nick-${index}`, membershipType: 'assigned',
      }));
      return 'SecurityGroup';
    },
  },
];

const each = (make: (index: number) => Promise<unknown>) => Promise.all(Array.from({ length: OBJECTS }, (_, index) => make(index)));

function groups(shared: HostileEnvironment, namespace: string, name: string): Promise<unknown> {
  return each((index) => shared.object(namespace, 'ResourceGroup', `object-${index}`, { location: 'uksouth', azureName: `${name}-${index}` }));
}

function rowOf({ id: road, who, says, make }: Road, body: HostileBody): Attack {
  const id = `${body}-of-${road}`;
  return {
    id,
    who,
    what: `${WHAT[body]}, for ${OBJECTS} objects`,
    holds: `the condition says "${says[body]}", and no secret; the memory stays below ${MEMORY} MiB`,
    shares: true,
    environment,
    async run(shared) {
      await shared.namespace(id);
      const kind = await make(shared, id, body);
      await each(async (index) => {
        const { message = '' } = await shared.becomes(kind, id, `object-${index}`, (ready) => ready.message?.includes(says[body]!) === true);
        expect(message).not.toContain(SECRET);
      });
      expect(shared.controller!.memory().most).toBeLessThan(MEMORY);
    },
  };
}

/** Servers that a tenant names, or that stand before Azure, and send more than anybody keeps, or less than anybody waits for. */
export const hostileBodies: readonly Attack[] = ROADS.flatMap((road) =>
  (Object.keys(road.says) as HostileBody[]).map((body) => rowOf(road, body)));

import { ofEach, ofSet, type Found, type FoundAt } from './rule';
import { isRecord, member, struct, text } from '../../util/records';
import { secretText } from '../../util/secret-data';

const PASSWORD = 'administratorLoginPassword';
const LINK = 'network.azure.com/PrivateDnsZonesVirtualNetworkLink';
const SERVERS = new Set(['dbforpostgresql.azure.com/FlexibleServer', 'dbformysql.azure.com/FlexibleServer', 'sql.azure.com/Server']);
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/];
/** Values that another program replaces before the Secret is applied. */
const PLACEHOLDER = /[{}<>]|^ENC\[|^\$/;

/** The password of an administrator, where the Secret is among the objects. The value stands in no message. */
export const administratorPassword = ofEach((object, set): readonly Found[] => {
  const reference = SERVERS.has(`${object.group}/${object.kind}`) ? struct(object.spec[PASSWORD]) : undefined;
  const [name, key] = [text(reference, 'name'), text(reference, 'key')];
  const manifest = name === undefined ? undefined : set.find('', 'Secret', object.namespace, name)?.manifest;
  if (!manifest || key === undefined) return [];
  const password = secretText(manifest, key);
  const problem = password === undefined || password === '' || PLACEHOLDER.test(password) ? undefined : problemOf(password, text(object.spec, 'administratorLogin'));
  return problem === undefined ? []
    : [{ field: `spec.${PASSWORD}`, message: `the password in Secret '${name!}' ${problem}`, fix: 'take 8 to 128 characters with upper- and lower-case letters and digits' }];
});

function problemOf(password: string, login: string | undefined): string | undefined {
  if (password.length < 8 || password.length > 128) return 'has not 8 to 128 characters';
  if (CLASSES.filter((one) => one.test(password)).length < 3) return 'has not three of upper-case letters, lower-case letters, digits and other characters';
  return login !== undefined && login.length > 2 && password.toLowerCase().includes(login.toLowerCase()) ? 'contains the name of the administrator' : undefined;
}

/** A network registers its machines in one private zone. */
export const privateDnsRegistrationTaken = ofSet((set): FoundAt[] => {
  const taken = new Map<string, string>();
  return (set.kinds.get(LINK) ?? []).flatMap((object): FoundAt[] => {
    const reference = member(member(object.spec, 'virtualNetwork'), 'reference');
    if (object.spec.registrationEnabled !== true || !isRecord(reference)) return [];
    const { armId, group, kind, name } = reference;
    const key = typeof armId === 'string' ? armId.toLowerCase() : [object.namespace, group, kind, name].map(String).join('/');
    const other = taken.get(key);
    if (other === undefined) taken.set(key, object.name);
    return other === undefined ? []
      : [{ object, field: 'spec.registrationEnabled', message: `is true, and so it is for the link '${other}' of the same network`, fix: 'write true for one zone of the network' }];
  });
});

import { checkLocalShape } from '../../../engine/convert/local-shape';
import { Catalog } from '../../../src/catalog';

const identity = Catalog.default().kind('managedidentity.azure.com', 'UserAssignedIdentity')!.latest;

test.each([
  ['a name that is a number', { azureName: 5 }, 'spec.azureName: expected a text, got a number'],
  ['a text for the operator', { operatorSpec: 'x' }, 'spec.operatorSpec: expected an object, got a text'],
  ['a list for the exports', { operatorSpec: { configMaps: [] } }, 'spec.operatorSpec.configMaps: expected an object, got an array'],
  [
    'a destination that is a text',
    { operatorSpec: { configMaps: { clientId: 'x' } } },
    'spec.operatorSpec.configMaps.clientId: expected an object, got a text',
  ],
  [
    'a destination without a key',
    { operatorSpec: { configMaps: { clientId: { name: 'x' } } } },
    'spec.operatorSpec.configMaps.clientId.key: is missing',
  ],
  [
    'an expression for a list',
    { operatorSpec: { configMapExpressions: 'self' } },
    'spec.operatorSpec.configMapExpressions: expected an array, got a text',
  ],
  [
    'a number in the list',
    { operatorSpec: { secretExpressions: [5] } },
    'spec.operatorSpec.secretExpressions[0]: expected an object, got a number',
  ],
  [
    'an expression without its text',
    { operatorSpec: { secretExpressions: [{ name: 'a', value: 'self' }, { name: 'b' }] } },
    'spec.operatorSpec.secretExpressions[1].value: is missing',
  ],
  [
    'labels that are no texts',
    { operatorSpec: { configMapExpressions: [{ name: 'a', value: 'b', labels: { c: 1 } }] } },
    'spec.operatorSpec.configMapExpressions[0].labels.c: expected a text, got a number',
  ],
])('%s', (_, spec, message) => {
  expect(() => checkLocalShape(identity, spec)).toThrow(message);
});

test('a reference to the name of a user that is a list', () => {
  const user = Catalog.default().allKinds.map(({ latest }) => latest)
    .find((version) => Object.values(version.specType.props).some(({ role, arm }) => role === 'configMap' && arm === null))!;
  const [name] = Object.entries(user.specType.props).find(([, { role, arm }]) => role === 'configMap' && arm === null)!;
  expect(() => checkLocalShape(user, { [name]: [] })).toThrow(`spec.${name}: expected an object, got an array`);
});

test.each([
  ['nothing', undefined],
  ['absent and null', { operatorSpec: null, azureName: null }],
  ["what is sent is another's", { location: 5, owner: 5 }],
  [
    'all of it',
    {
      azureName: 'x',
      operatorSpec: {
        configMaps: { clientId: { name: 'a', key: 'b' } },
        configMapExpressions: [{ name: 'a', key: 'b', value: 'c' }],
        secretExpressions: [],
      },
    },
  ],
])('%s: nothing to say', (_, spec) => {
  expect(() => checkLocalShape(identity, spec)).not.toThrow();
});

import { Chart, Testing } from 'cdk8s';
import { ResourceGroup } from '../../src/services/resources/resource-group';

type Module = typeof import('../../src/services/resources/resource-group');

test('a copy of the library knows the resources of another', () => {
  const group = new ResourceGroup(new Chart(Testing.app(), 'chart', { namespace: 'team' }), 'rg', { location: 'uksouth' });
  let Copy: typeof ResourceGroup | undefined;
  jest.isolateModules(() => { Copy = jest.requireActual<Module>('../../src/services/resources/resource-group').ResourceGroup; });
  expect(group).not.toBeInstanceOf(Copy!);
  expect(Copy!.isResourceGroup(group)).toBe(true);
});

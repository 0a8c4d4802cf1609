import { serviceOf } from './service-fixture';

/** Requests as plain data has them: no compiler has seen them. */
test.each<[object, string]>([
  [{ queus: [{ name: 'a' }] }, "queus: there is no such field. Did you mean 'queues'? There are: team, name, identity, queues,"],
  [{ queues: [{ name: 'a', role: ['QueueSender'] }] }, "queues[0].role: there is no such field. Did you mean 'roles'?"],
  [{ queues: { name: 'a' } }, 'queues: is an object, but has to be a list.'],
  [{ queues: ['a'] }, "queues[0]: is 'a', but has to be an object."],
  [{ queues: [{ name: 7 }] }, 'queues[0].name: is 7, but has to be a text.'],
  [{ queues: [{ name: 'a', owned: 'false' }] }, "queues[0].owned: is 'false', but has to be true or false."],
  [{ queues: [{ name: 'a', roles: 'QueueSender' }] }, "queues[0].roles: is 'QueueSender', but has to be a list."],
  [{ topics: [{ name: 'a', subscriptions: [{ name: 'b', rule: [] }] }] }, "topics[0].subscriptions[0].rule: there is no such field. Did you mean 'rules'?"],
  [{ storageAccounts: [{ name: 'a', container: [] }] }, "storageAccounts[0].container: there is no such field. Did you mean 'containers'?"],
  [{ storageAccounts: [{ name: 'a', fileShares: [{ name: 'abc', shareQuota: '5' }] }] }, "storageAccounts[0].fileShares[0].shareQuota: is '5', but has to be a number."],
  [{ identity: { existin: true } }, "identity.existin: there is no such field. Did you mean 'existing'?"],
  [{ database: { name: 'a', charset: 'UTF8', collation: 'C', size: 1 } }, 'database.size: there is no such field.'],
])('refuses %j', (props, message) => {
  expect(() => serviceOf(props as never)).toThrow(message);
});

test('null counts as absent, in what is added later as well', () => {
  const { service } = serviceOf({ queues: null, tags: null } as never);
  expect(() => service.addQueue('later', { setting: {} } as never)).toThrow("queue['later'].setting: there is no such field. Did you mean 'settings'?");
  expect(service.addQueue('later', { roles: null } as never).queueName).toBe('later');
});

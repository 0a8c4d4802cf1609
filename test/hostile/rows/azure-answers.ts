import type { Attack } from '../attack';

/** Answers that are not Azure's. */
export const azureAnswers: readonly Attack[] = [
  {
    id: 'azure-answers-with-a-page',
    who: 'a proxy before Azure',
    what: 'answers every GET of one resource group with 200 and a login page',
    holds: 'the object says what came instead of an answer; nothing is sent for it',
    async run(environment) {
      environment.azure.faults.add({ method: 'GET', path: '/resourcegroups/page', status: 200, text: '<html>please log in</html>', times: 100_000 });
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'page', { location: 'uksouth' }, { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } });
      await environment.becomes('ResourceGroup', 'team', 'page', ({ status, message = '' }) => status === 'False' && message.includes('proxy'));
      expect(environment.writes('/resourcegroups/page')).toEqual([]);
    },
  },
];

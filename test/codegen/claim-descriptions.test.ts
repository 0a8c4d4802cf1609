import { docstrings } from '../../codegen/claim-descriptions';

test('descriptions of claims are docstrings, with values instead of members of enums, and the default as a sentence', () => {
  const { Cluster, TeamProps, TeamSpec } = docstrings();
  expect(Cluster).toMatchObject({
    mode: "Whether the cluster's objects manage Azure resources. Exactly one cluster of an environment is active. Default: active.",
    operatorNamespace: 'Namespace of the operator. Default: azureserviceoperator-system.',
  });
  expect(Object.keys(TeamProps!)).toEqual(expect.arrayContaining(['uses', 'hostNames', 'quotas', 'offboarding']));
  expect(TeamSpec).toMatchObject({ environment: 'Name of the Environment object. Default: default.' });
});

test('interfaces have the members of those that they extend', () => {
  expect(docstrings().SharedServiceSpec).toMatchObject({ type: 'The type: a factory of SharedService, e.g. serviceBus.' });
  expect(Object.keys(docstrings().QueueRequest!)).toContain('removalPolicy');
});

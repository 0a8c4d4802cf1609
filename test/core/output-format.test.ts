import { ApiObject } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { account, chart, findings, group, identity, SecurityGroup, synth } from './kinds';
import { ConfigMapValue, Output, SecretOutput, SecretValue } from '../../src/core';

const specOf = (scope: ReturnType<typeof chart>, index = 1) => synth(scope)[index].spec.operatorSpec;

describe('an output is no part of a text', () => {
  const scope = chart();
  const id = identity(scope, 'app-id', group(scope));
  const storage = account(scope, 'sa1', group(scope, 'rg2'));
  const output = id.output('clientId');
  const secret = storage.secretOutput('key1');

  test.each<[string, () => unknown]>([
    ['a template literal', () => `https://${output as unknown as string}`],
    ['a concatenation', () => 'id ' + (output as unknown as string)],
    ['String()', () => String(output)],
    ['JSON', () => JSON.stringify({ output })],
    ['join', () => [output].join('/')],
  ])('%s says what to write', (_, use) => {
    expect(use).toThrow("The output 'clientId' of 'chart/app-id' cannot be a part of a text: its value is known in the cluster only, when Azure has created the resource. Write Output.format('https://${0}/', output) for a text with it; give a container output.envValue, or a …FromConfig property the output itself.");
  });

  test('secrets and keys of ConfigMaps and Secrets do likewise', () => {
    expect(() => `${secret as unknown as string}`).toThrow("The secret output 'key1' of 'chart/sa1' cannot be a part of a text");
    expect(() => `${ConfigMapValue.fromConfigMap('c', 'k') as unknown as string}`).toThrow("The key 'k' of the ConfigMap 'c' cannot be a part of a text");
    expect(() => JSON.stringify(SecretValue.fromSecret('s', 'k'))).toThrow("The key 'k' of the Secret 's' cannot be a part of a text");
  });

  test('no manifest has the object in the place of the value', () => {
    const other = chart();
    const value = identity(other, 'app-id', group(other)).output('clientId');
    new kplus.ConfigMap(other, 'map', { data: { id: value as unknown as string } });
    expect(() => synth(other)).toThrow("The output 'clientId' of 'chart/app-id' cannot be a part of a text");
    const third = chart();
    new ApiObject(third, 'object', { apiVersion: 'v1', kind: 'Any', spec: { deep: [{ id: identity(third, 'app-id', group(third)).output('clientId') }] } });
    expect(() => synth(third)).toThrow("The output 'clientId' of 'chart/app-id'");
  });

  test('a property of text says where the output belongs', () => {
    const other = chart();
    const owner = group(other);
    account(other, 'sa1', owner, { tags: { id: identity(other, 'app-id', owner).output('clientId') } });
    expect(findings(other)).toEqual([
      '[chart/sa1] StorageAccount tags.id: is an output of a resource, but has to be a string. Its value is known in the cluster only: give it to a property that reads a ConfigMap (…FromConfig), or to a container.',
    ]);
  });
});

describe('Output.format', () => {
  test('is an expression of the resource that exports the values', () => {
    const scope = chart();
    const id = identity(scope, 'app-id', group(scope));
    const text = Output.format('https://${0}/{1}?again=${0}', id.output('tenantId'), id.output('clientId'));
    expect(text).toBeInstanceOf(Output);
    expect([text.producer, text.configMapName, text.key]).toEqual([id, 'app-id-outputs', text.outputName]);
    expect(text.key).toMatch(/^text-[0-9a-f]{8}$/);
    expect(specOf(scope).configMapExpressions).toEqual([{
      name: 'app-id-outputs',
      key: text.key,
      value: 'self.status.tenantId != "" && self.status.clientId != "" ? "https://" + self.status.tenantId + "/" + self.status.clientId + "?again=" + self.status.tenantId : ""',
    }]);
    expect(specOf(scope).configMaps).toEqual(expect.objectContaining({ tenantId: { name: 'app-id-outputs', key: 'tenantId' } }));
    expect(findings(scope)).toEqual([]);
  });

  test('the same text is exported once; expressions of the user stay', () => {
    const scope = chart();
    const own = { name: 'mine', key: 'k', value: 'self.status.id' };
    const id = identity(scope, 'app-id', group(scope), { operatorSpec: { configMapExpressions: [own] } });
    expect(Output.format('a ${0}', id.output('clientId'))).toBe(Output.format('a {0}', id.output('clientId')));
    const nested = Output.format('b ${0}', Output.format('a ${0}', id.output('clientId')));
    expect(specOf(scope).configMapExpressions).toEqual([own, expect.anything(), expect.objectContaining({ key: nested.key })]);
    expect(findings(scope)).toEqual([]);
  });

  test('feeds a container', () => {
    const scope = chart();
    const id = identity(scope, 'app-id', group(scope));
    const text = Output.format('x-${0}', id.output('clientId'));
    new kplus.Pod(scope, 'pod', { containers: [{ image: 'app', envVariables: { URL: text.envValue } }] });
    const pod = synth(scope).find((manifest) => manifest.kind === 'Pod');
    expect(pod.spec.containers[0].env).toEqual([{ name: 'URL', valueFrom: { configMapKeyRef: { name: 'app-id-outputs', key: text.key } } }]);
  });

  test('of secrets goes to the Secret, with outputs as well', () => {
    const scope = chart();
    const storage = account(scope, 'sa1', group(scope));
    const text = SecretOutput.format('BlobEndpoint=${1};AccountKey=${0}', storage.secretOutput('key1'), storage.output('blobEndpoint'));
    expect(specOf(scope).secretExpressions).toEqual([{
      name: 'sa1-secrets',
      key: text.key,
      value: 'self.status.primaryEndpoints.blob != "" && secret.key1 != "" ? "BlobEndpoint=" + self.status.primaryEndpoints.blob + ";AccountKey=" + secret.key1 : ""',
    }]);
    expect(findings(scope)).toEqual([]);
  });

  test('is refused with the reason', () => {
    const scope = chart();
    const owner = group(scope);
    const [one, two] = [identity(scope, 'one', owner), identity(scope, 'two', owner)];
    const output = one.output('clientId');
    const any = (value: unknown) => value as Output;
    expect(() => Output.format('${0}${1}', output, two.output('clientId'))).toThrow(
      "Output.format: the values are of 2 resources ('chart/one', 'chart/two'), but an expression sees the one resource that exports it. Give a container each value as a variable of its own, and put them together there: 'https://$(FIRST)/$(SECOND)'.",
    );
    expect(() => Output.format(`https://${0}/`, output)).toThrow("value 0 has no place in the template 'https://0/'. Write ${0} for it; in a text between backquotes, JavaScript takes that for itself, so use single quotes, or write {0}.");
    expect(() => Output.format('${1}', output)).toThrow('the template has a place ${1}, but there are 1 values. The first one is ${0}.');
    expect(() => Output.format('${0}')).toThrow('there is no output');
    expect(() => Output.format(any(undefined) as unknown as string, output)).toThrow('the template is undefined, but has to be a text');
    expect(() => Output.format('${0}', any('text'))).toThrow("value 0 is 'text', but has to be an output of a resource (x.outputs.y)");
    expect(() => Output.format('${0}', any(ConfigMapValue.fromConfigMap('c', 'k')))).toThrow('value 0 is a key of a ConfigMap');
    const storage = account(scope, 'sa1', owner);
    expect(() => Output.format('${0}', any(storage.secretOutput('key1')))).toThrow("value 0 is the secret 'key1', which a ConfigMap cannot have. Write SecretOutput.format.");
    const found = new SecurityGroup(scope, 'g', { displayName: 'g', mailNickname: 'g' }).output('entraID');
    expect(() => Output.format('${0}', found)).toThrow("value 0: the operator finds 'entraID' of 'chart/g' by code of its own");
  });
});

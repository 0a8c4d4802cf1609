import { Lazy, Yaml } from 'cdk8s';
import { checkChart } from './chart-checks';
import { ASO_CHART, ASO_NAMESPACE, ASO_REPOSITORY } from './chart-location';
import { chartValues } from './chart-mapping';
import type { AsoChartProps } from './chart-props';
import { isRecord } from '../../util/records';
import { PropChecks } from '../prop-checks';

const PLAIN = /^[\w./:@%+=-]+$/;

/** Where Helm installs the chart. */
export interface AsoHelmOptions {
  /**
   * Namespace of the operator.
   * @default azureserviceoperator-system
   */
  readonly operatorNamespace?: string;
  /**
   * Name of the release.
   * @default azure-service-operator
   */
  readonly releaseName?: string;
  /**
   * URL of the Helm repository.
   * @default - the repository of Azure Service Operator
   */
  readonly repositoryUrl?: string;
}

/**
 * The values of the chart of Azure Service Operator, for Helm without any other tool: a file of values, and the command that installs it.
 * `AsoHelmInstallation` does it with Flux, `AsoArgoInstallation` with Argo CD, `AsoHelmChart` by rendering the chart at synth.
 * @see https://azure.github.io/azure-service-operator/
 */
export class AsoChartValues {
  private readonly version: string;

  /**
   * @param props the chart's version, the CRDs to install, the credential and further values
   * @throws when a prop is missing or malformed, or props contradict each other: one error that lists all problems
   */
  public constructor(private readonly props: AsoChartProps) {
    const checks = new PropChecks(undefined, 'AsoChartValues');
    checkChart(checks, props);
    checks.throwIfAny();
    this.version = props.version;
  }

  /** The values, as the chart takes them. With `CrdPattern.kindsIn(app)` complete only when the app is. */
  public get values(): { [key: string]: any } {
    return settled(chartValues(this.props)) as { [key: string]: any };
  }

  /** The values as the text of a file. With `CrdPattern.kindsIn(app)` complete only when the app is. */
  public toYaml(): string {
    return Yaml.stringify(this.values);
  }

  /**
   * The command that installs or upgrades the chart, for a shell. It needs Helm 3 and, unless the mode is `WATCHERS`, cert-manager in the
   * cluster.
   * @param file path of the file with the values
   * @param options namespace and names
   */
  public installCommand(file: string, options: AsoHelmOptions = {}): string {
    const { releaseName = ASO_CHART, repositoryUrl = ASO_REPOSITORY, operatorNamespace = ASO_NAMESPACE } = options;
    return [
      'helm', 'upgrade', '--install', releaseName, ASO_CHART, '--repo', repositoryUrl, '--version', this.version,
      '--namespace', operatorNamespace, '--create-namespace', '--values', file, '--wait',
    ].map(quoted).join(' ');
  }

  /**
   * The subject that a federated credential of the operator's identity has.
   * @param operatorNamespace namespace of the operator; default: azureserviceoperator-system
   */
  public federatedSubject(operatorNamespace: string = ASO_NAMESPACE): string {
    return `system:serviceaccount:${operatorNamespace}:${this.props.serviceAccount?.name ?? 'azureserviceoperator-default'}`;
  }
}

/** The values with those that are known only now. */
function settled(value: unknown): unknown {
  if (value instanceof Lazy) return value.produce();
  if (Array.isArray(value)) return value.map(settled);
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, settled(one)])) : value;
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

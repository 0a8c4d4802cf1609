import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { DASHBOARD_ROWS, PanelFacts } from './dashboard-panels';
import { matchersOf } from './matchers';

/** Properties of {@link ControllerDashboard}. */
export interface ControllerDashboardProps {
  /**
   * Kubernetes metadata of the ConfigMap. The label `grafana_dashboard: "1"` is added, by which Grafana's sidecar finds dashboards.
   *
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * The namespace of the controller, by which its metrics are selected.
   *
   * @default azureserviceoperator-system
   */
  readonly controllerNamespace?: string;

  /**
   * Label matchers of PromQL that select the controller's metrics, in the place of the namespace and the metrics Service.
   *
   * @default - those that the ServiceMonitor of `BundledController` leads to
   */
  readonly matchers?: string;

  /**
   * The title of the dashboard.
   *
   * @default Azure resources
   */
  readonly title?: string;
}

const PANEL_HEIGHT = 8;
const STAT_HEIGHT = 4;
const COLUMNS = 24;
/** Of Grafana 10 and newer. */
const SCHEMA_VERSION = 39;

/**
 * A Grafana dashboard about a controller and its resources, as a ConfigMap that Grafana's sidecar loads.
 *
 * @see https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
 */
export class ControllerDashboard extends Construct {
  /** The dashboard as JSON, e.g. to import it by hand. */
  public readonly json: string;

  /**
   * @param scope the scope of the construct
   * @param id the id, unique within the scope
   * @param props selection of the controller, and the title
   */
  public constructor(scope: Construct, id: string, props: ControllerDashboardProps = {}) {
    super(scope, id);
    const { metadata, title = 'Azure resources' } = props;
    this.json = JSON.stringify(dashboard(title, matchersOf(props)));
    const { labels, ...more } = metadata?.toJson() as { labels?: Record<string, string> } ?? {};
    new ApiObject(this, 'dashboard', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...more, labels: { ...labels, grafana_dashboard: '1' } },
      data: { 'azure-resources.json': this.json },
    });
  }
}

function dashboard(title: string, matchers: string): object {
  const panels: object[] = [];
  let [x, y, height] = [0, 0, 0];
  const place = (width: number, h: number): object => {
    if (x + width > COLUMNS) [x, y, height] = [0, y + height, 0];
    const position = { h, w: width, x, y };
    [x, height] = [x + width, Math.max(height, h)];
    return position;
  };
  for (const row of DASHBOARD_ROWS) {
    [x, y, height] = [0, y + height, 0];
    panels.push({ id: panels.length + 1, type: 'row', title: row.title, collapsed: false, panels: [], gridPos: { h: 1, w: COLUMNS, x: 0, y } });
    y += 1;
    for (const panel of row.panels) {
      panels.push(panelOf(panel, panels.length + 1, place(panel.width, panel.type === 'stat' ? STAT_HEIGHT : PANEL_HEIGHT), matchers));
    }
  }
  return {
    title,
    uid: 'cdk8s-aso-controller',
    tags: ['azure', 'kubernetes'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    panels,
  };
}

function panelOf({ title, description, type, unit, queries }: PanelFacts, id: number, gridPos: object, matchers: string): object {
  const isInstant = type !== 'timeseries';
  return {
    id,
    type,
    title,
    description,
    datasource: { type: 'prometheus', uid: '${datasource}' },
    fieldConfig: { defaults: { unit }, overrides: [] },
    gridPos,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      expr: expr.replaceAll('$S', matchers),
      legendFormat: legend,
      ...(isInstant && { instant: true, range: false }),
      ...(type === 'table' && { format: 'table' }),
    })),
  };
}

import { byId } from './elements';
import type { WireSummary } from '../wire';

/** Says whether what is shown is what there is, and since when it is not. */
export class ConnectionStatus {
  private heardAt: number | undefined;
  private lostAt: number | undefined;

  public heard(summary: WireSummary | undefined): void {
    this.heardAt = Date.now();
    this.lostAt = undefined;
    const { problem, asOf = 0 } = summary ?? {};
    this.say(problem === undefined ? 'live' : 'stale', problem === undefined ? '● Live' : `▲ ${problem}`);
    this.banner(problem === undefined ? '' : `${problem}. Shown is the data of ${time(asOf)}; it is read again by itself.`);
  }

  public lost(why: string): void {
    this.lostAt ??= Date.now();
    const data = this.heardAt === undefined ? '' : `; data of ${time(this.heardAt)}`;
    this.say('lost', '▲ Disconnected');
    this.banner(`Disconnected since ${time(this.lostAt)}${data}: ${why}. The page connects again by itself.`);
  }

  private say(state: 'live' | 'stale' | 'lost', text: string): void {
    const element = byId('connection');
    element.dataset.state = state;
    if (element.textContent !== text) element.textContent = text;
  }

  private banner(text: string): void {
    const element = byId('banner');
    element.hidden = text === '';
    if (element.textContent !== text) element.textContent = text;
  }
}

function time(at: number): string {
  return new Date(at).toLocaleTimeString();
}

import { dev, prd } from './environments';
import { Team, type TeamPresence } from 'cdk8s-aso/platform';

export const harvest = new Team({
  name: 'orchard-harvest',
  serviceCode: 'OHV',
  groups: ['orchard-harvest-developers'],
  uses: ['service-bus', 'postgres'],
});

export const market = new Team({
  name: 'orchard-market',
  serviceCode: 'OMK',
  groups: ['orchard-market-developers'],
  uses: ['service-bus'],
});

export const press = new Team({
  name: 'orchard-press',
  serviceCode: 'OPR',
  groups: ['orchard-press-developers'],
  quotas: { pods: 20 },
});

/** The teams, with their settings per environment. Production has higher quotas. */
export const teams: TeamPresence[] = [
  { team: harvest, overrides: { prd: { quotas: { pods: 100, memory: '20000Mi' } } } },
  { team: market },
  { team: press, environments: [dev, prd] },
];

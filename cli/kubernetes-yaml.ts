import type { ScalarTag, Tags } from 'yaml';

/**
 * kubectl reads YAML 1.1's words for true and false and its octal numbers; `yaml` reads YAML 1.2. What looks the same must mean the same
 * in both, or a plan shows something else than the cluster gets.
 */
const yesNo: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text) => /^(?:y|yes|on)$/i.test(text),
};

const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0[0-7]+$/,
  resolve: (text) => parseInt(text, 8),
};

/** For `yaml`'s `customTags`. The first tag that fits wins, so ours stand before its own. */
export const kubernetesTags = (tags: Tags): Tags => [yesNo, octal, ...tags];

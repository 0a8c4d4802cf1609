/** Regions as Azure displays them; the code is the text in lower case without spaces. https://learn.microsoft.com/azure/reliability/regions-list */
const DISPLAY_NAMES = [
  'East US', 'East US 2', 'West US', 'West US 2', 'West US 3', 'Central US', 'North Central US', 'South Central US', 'West Central US',
  'Canada Central', 'Canada East', 'Mexico Central', 'Brazil South', 'Chile Central', 'North Europe', 'West Europe', 'UK South', 'UK West',
  'France Central', 'France South', 'Germany West Central', 'Germany North', 'Switzerland North', 'Switzerland West', 'Norway East',
  'Norway West', 'Sweden Central', 'Poland Central', 'Italy North', 'Spain Central', 'Austria East', 'Belgium Central', 'Denmark East',
  'Israel Central', 'Qatar Central', 'UAE North', 'UAE Central', 'South Africa North', 'South Africa West', 'Central India', 'South India',
  'West India', 'East Asia', 'Southeast Asia', 'Indonesia Central', 'Malaysia West', 'Japan East', 'Japan West', 'Korea Central',
  'Korea South', 'Australia East', 'Australia Southeast', 'Australia Central', 'New Zealand North', 'Global',
];

const codeOf = (text: string): string => text.toLowerCase().replace(/ /g, '');
const byCode = new Map(DISPLAY_NAMES.map((name) => [codeOf(name), name]));

/** The names of members that hold regions. */
const REGION_MEMBER = /location|region/i;

/** A region in its other form: the display name for a code, the code for a display name. Any other text: as it is. */
export function otherRegion(text: string, member: string): string {
  const display = REGION_MEMBER.test(member) ? byCode.get(codeOf(text)) : undefined;
  if (display === undefined) return text;
  return text === codeOf(text) ? display : codeOf(text);
}

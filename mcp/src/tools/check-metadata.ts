import { defineTool } from '../define-tool.ts';

export const checkMetadata = defineTool({
  name: 'check_metadata',
  title: 'Check a draft’s limits and words',
  description:
    'Checks the texts of a draft against the store’s limits and forbidden words, at once and without reading the store. valid: false means that the store would refuse it. A warning with a null rule is about length or formatting. It says nothing about how good a draft is: simulate_metadata does. subtitle is the subtitle of the App Store or the short description of Google Play; kw_field exists on the App Store only. Give at least one text.',
  operation: 'checkMetadata',
  effect: 'none',
  readsStore: false,
});

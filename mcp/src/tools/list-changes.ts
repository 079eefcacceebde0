import { defineTool } from '../define-tool.ts';

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List listing changes',
  description:
    'What changed in the store listing of a tracked app, and with competitors: true of its competitors, newest first: texts with the words that came and went, version, pictures. effect says how ranks and visibility moved in 7, 14 and 28 days after a change, against a control group; other_changes are those of the app within these days, which may have moved the ranks instead. Say "moved after", never "caused by": moved: false or null is no effect that can be shown. Null: not recorded, not read enough, or too early. While meta.has_more, call again with page + 1.',
  operation: 'listChanges',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
});

import { defineTool } from '../define-tool.ts';

export const addApplication = defineTool({
  name: 'add_application',
  title: 'Track an app',
  description:
    'Starts to track an app in one store, country and language, and returns its id. app_id is the store’s own id here: a package name on Google Play, a numeric id or bundle id on the App Store (in the address of its store page, as in id123456, which may be sent as it is, or ?id=com.example.app; search_apps finds it by name). The listing is read from the store at once; its audit follows within minutes. DUPLICATE means that it is tracked already and names the id. A null title could not be read. Changes what the account tracks: do it only when the user wants it.',
  operation: 'trackApplication',
  effect: 'adds',
  readsStore: true,
});

import { listAutomations, listContactImports, listContactProperties } from './generated';
import { drive } from './driver';

void drive((baseURL, key) => {
  const config = { baseURL, headers: { Authorization: `Bearer ${key}` } };
  return {
    automations: (query) => listAutomations(query, undefined, config),
    'contact-properties': (query) => listContactProperties(query, undefined, config),
    'contact-imports': (query) => listContactImports(query, undefined, config),
  };
});

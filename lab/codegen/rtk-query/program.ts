import { configureStore } from '@reduxjs/toolkit';
import { api } from './api';
import { rollcall } from './generated/rollcall';
import { drive } from './driver';

void drive(() => {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
  const { listAutomations, listContactProperties, listContactImports } = rollcall.endpoints;
  const once = { subscribe: false, forceRefetch: true } as const;
  return {
    automations: (query) => store.dispatch(listAutomations.initiate(query, once)).unwrap(),
    'contact-properties': (query) => store.dispatch(listContactProperties.initiate(query, once)).unwrap(),
    'contact-imports': (query) => store.dispatch(listContactImports.initiate(query, once)).unwrap(),
  };
});

import { AutomationsApi, Configuration, ContactImportsApi, ContactPropertiesApi, ProblemFromJSON } from './generated';
import { ProblemName, ResponseError } from './generated';
import { doThings } from './things';

void doThings<ProblemName>(
  (basePath, accessToken) => {
    const configuration = new Configuration({ basePath, accessToken });
    const contactImports = new ContactImportsApi(configuration);
    return {
      automations: async (query) => {
        const { hasMore, data } = await new AutomationsApi(configuration).listAutomations(query);
        return { hasMore, ids: data.map(({ id }) => id) };
      },
      contactImport: async (id) => {
        const { counts, completedAt } = await contactImports.getContactImport({ id });
        return { created: counts.created, completedAt };
      },
      fallbackValues: async () => {
        const { data } = await new ContactPropertiesApi(configuration).listContactProperties();
        return data.map(({ fallbackValue }) => fallbackValue);
      },
      failure: async (id) => {
        try {
          await contactImports.getContactImport({ id });
        } catch (error) {
          if (!(error instanceof ResponseError)) throw error;
          return { status: error.response.status, problem: ProblemFromJSON(await error.response.json()) };
        }
        throw new Error('It did not fail.');
      },
    };
  },
  { notFound: ProblemName.NotFound, invalidApiKey: ProblemName.InvalidApiKey },
);

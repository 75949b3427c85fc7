//! The client that openapi-generator makes for Rust, as a driver.

mod driver;

use std::process::ExitCode;

use driver::{Collection, Failed, Page, Query};
use openapi::apis::Error;
use openapi::apis::automations_api::{ListAutomationsError, list_automations};
use openapi::apis::configuration::Configuration;
use openapi::apis::contact_imports_api::{
    GetContactImportError, ListContactImportsError, get_contact_import, list_contact_imports,
};
use openapi::apis::contact_properties_api::{ListContactPropertiesError, list_contact_properties};
use openapi::models::{
    AutomationStatus, ContactImportStatus, ContactPropertyList, Problem, ProblemName,
};
use serde_json::{Value, json};

// The compiler looks for them.
const _: [ProblemName; 2] = [ProblemName::NotFound, ProblemName::InvalidApiKey];

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    driver::drive(|base_path, key| {
        Client(Configuration {
            base_path,
            bearer_access_token: Some(key),
            ..Configuration::new()
        })
    })
    .await
}

struct Client(Configuration);

impl Client {
    async fn properties(&self, query: Query) -> Result<ContactPropertyList, Failed> {
        let limit = query.limit.map(|it| i32::try_from(it).unwrap());
        let (after, before) = (query.after.as_deref(), query.before.as_deref());
        list_contact_properties(&self.0, limit, after, before, None, None)
            .await
            .map_err(failure_of)
    }
}

/// What a page has of all lists.
macro_rules! page {
    ($list:expr) => {{
        let list = $list;
        Page {
            has_more: list.has_more,
            ids: list.data.into_iter().map(|it| it.id).collect(),
        }
    }};
}

impl driver::Client for Client {
    async fn list(&self, collection: Collection, query: Query) -> Result<Page, Failed> {
        let limit = query.limit.map(|it| i32::try_from(it).unwrap());
        let (after, before) = (query.after.as_deref(), query.before.as_deref());
        Ok(match collection {
            Collection::Automations => {
                let status = query.status.as_deref().map(parsed::<AutomationStatus>);
                let found = list_automations(&self.0, limit, after, before, status, None, None);
                page!(found.await.map_err(failure_of)?)
            }
            Collection::ContactProperties => page!(self.properties(query).await?),
            Collection::ContactImports => {
                let status = query.status.as_deref().map(parsed::<ContactImportStatus>);
                let found = list_contact_imports(&self.0, limit, after, before, status, None, None);
                page!(found.await.map_err(failure_of)?)
            }
        })
    }

    async fn contact_import(&self, id: &str) -> Result<Value, Failed> {
        let found = get_contact_import(&self.0, id, None, None).await;
        Ok(serde_json::to_value(found.map_err(failure_of)?).unwrap())
    }

    async fn fallback_values(&self) -> Result<Vec<Value>, Failed> {
        let list = self.properties(Query::default()).await?;
        let values = list.data.into_iter().map(|it| it.fallback_value);
        Ok(values.map(|it| json!(it)).collect())
    }
}

/// The generated enums have no parser but serde's.
fn parsed<T: serde::de::DeserializeOwned>(status: &str) -> T {
    serde_json::from_value(json!(status)).unwrap()
}

fn failure_of<T: HasProblem>(error: Error<T>) -> Failed {
    match error {
        Error::ResponseError(it) => {
            let status = it.status.as_u16();
            match it.entity.as_ref().and_then(HasProblem::problem) {
                Some(problem) => {
                    Failed::response(status, problem.status_code, &problem.name.to_string())
                }
                None => Failed::new(status, "unreadable"),
            }
        }
        Error::Reqwest(_) | Error::Io(_) => Failed::network(),
        Error::Serde(_) => Failed::new(0, "unreadable"),
    }
}

trait HasProblem {
    fn problem(&self) -> Option<&Problem>;
}

/// The statuses share one type, which the first of them stands for, whatever the status is.
macro_rules! has_problem {
    ($($error:ident)*) => {$(
        impl HasProblem for $error {
            fn problem(&self) -> Option<&Problem> {
                match self {
                    $error::Status401(it) => Some(it),
                    _ => None,
                }
            }
        }
    )*};
}
has_problem!(ListAutomationsError ListContactPropertiesError ListContactImportsError GetContactImportError);

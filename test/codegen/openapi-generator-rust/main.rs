//! The seven things, with the client that openapi-generator makes for Rust.

use std::collections::HashSet;
use std::{env, fs};

use openapi::apis::Error;
use openapi::apis::automations_api::list_automations;
use openapi::apis::configuration::Configuration;
use openapi::apis::contact_imports_api::{GetContactImportError, get_contact_import};
use openapi::apis::contact_properties_api::list_contact_properties;
use openapi::models::{AutomationStatus, ContactImport, FallbackValue, ProblemName};
use serde_json::Value;

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    automations: usize,
    first_automation_id: String,
    enabled: usize,
    import_id: String,
    import_created: i32,
    fallback_values: Vec<Value>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let want: Expected =
        serde_json::from_str(&fs::read_to_string(variable("EXPECTED")).unwrap()).unwrap();
    let right = client_with(&variable("ROLLCALL_API_KEY"));

    let first = list_automations(&right, None, None, None, None, None, None)
        .await
        .unwrap();
    assert_eq!(first.data[0].id, want.first_automation_id);
    assert_eq!(walk(&right, None).await, want.automations);
    assert_eq!(
        walk(&right, Some(AutomationStatus::Enabled)).await,
        want.enabled
    );

    let found = look_up(&right, &want.import_id).await.unwrap();
    assert_eq!(found.counts.created, want.import_created);

    let properties = list_contact_properties(&right, None, None, None, None, None)
        .await
        .unwrap();
    let values = properties.data.into_iter().map(|it| it.fallback_value);
    let got: Vec<_> = values.map(|it| it.map(|it| *it)).collect();
    let wanted: Vec<_> = want.fallback_values.into_iter().map(form_of).collect();
    assert_eq!(got, wanted);

    let unknown = look_up(&right, "00000000-0000-4000-8000-000000000000").await;
    expect_problem(unknown, 404, ProblemName::NotFound);

    let refused = look_up(&client_with("wrong"), &want.import_id).await;
    expect_problem(refused, 401, ProblemName::InvalidApiKey);
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

fn client_with(key: &str) -> Configuration {
    Configuration {
        base_path: variable("ROLLCALL_URL"),
        bearer_access_token: Some(key.to_owned()),
        ..Configuration::new()
    }
}

fn form_of(value: Value) -> Option<FallbackValue> {
    match value {
        Value::Null => None,
        Value::String(it) => Some(FallbackValue::String(it)),
        it => Some(FallbackValue::Number(it.as_f64().unwrap())),
    }
}

async fn walk(client: &Configuration, status: Option<AutomationStatus>) -> usize {
    let mut seen = HashSet::new();
    let mut after: Option<String> = None;
    loop {
        let page = list_automations(
            client,
            Some(100),
            after.as_deref(),
            None,
            status,
            None,
            None,
        )
        .await
        .unwrap();
        for it in &page.data {
            assert!(seen.insert(it.id.clone()), "answered twice: {it:?}");
            assert!(
                status.is_none_or(|status| it.status == status),
                "not asked for: {it:?}"
            );
        }
        if !page.has_more {
            return seen.len();
        }
        after = page.data.last().map(|it| it.id.clone());
    }
}

async fn look_up(
    client: &Configuration,
    id: &str,
) -> Result<ContactImport, Error<GetContactImportError>> {
    get_contact_import(client, id, None, None).await
}

fn expect_problem(
    answer: Result<ContactImport, Error<GetContactImportError>>,
    status: u16,
    name: ProblemName,
) {
    let Err(Error::ResponseError(response)) = answer else {
        panic!("not an error response, though {name} was to come: {answer:?}");
    };
    assert_eq!(response.status.as_u16(), status);
    // The statuses share one type, which the first of them stands for.
    let Some(GetContactImportError::Status401(problem)) = response.entity else {
        panic!("no typed error: {}", response.content);
    };
    assert_eq!(problem.status_code, i32::from(status));
    assert_eq!(problem.name, name);
}

//! Prints each item of the list that the command line names, with the generated client. An error ends it with a code that is not 0.

mod rollcall {
    progenitor::generate_api!(spec = "openapi.yaml", interface = Builder);
}

use std::{env, error::Error};

use reqwest::header::{AUTHORIZATION, HeaderMap};
use rollcall::types::{AutomationStatus, ContactImportStatus};

struct Page {
    has_more: bool,
    /// The id of the last item.
    last: Option<String>,
    /// The items as JSON.
    items: Vec<String>,
}

/// Sets the parameters that all lists have, sends, and takes what a page has of all lists.
macro_rules! page {
    ($call:expr, $after:expr) => {{
        let mut call = $call.limit(7u32);
        if let Some(after) = $after {
            call = call.after(after);
        }
        let page = call.send().await?.into_inner();
        let items: Result<_, _> = page.data.iter().map(serde_json::to_string).collect();
        Page {
            has_more: page.has_more,
            last: page.data.last().map(|item| item.id.to_string()),
            items: items?,
        }
    }};
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let key = format!("Bearer {}", env::var("ROLLCALL_API_KEY")?);
    let headers = HeaderMap::from_iter([(AUTHORIZATION, key.parse()?)]);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = rollcall::Client::new_with_client(&env::var("ROLLCALL_BASE_URL")?, http);
    let params = env::var("ROLLCALL_PARAMS").unwrap_or_default();
    let status = params.strip_prefix("status=");
    let name = env::args().nth(1).ok_or("no list is named")?;
    let mut after: Option<String> = None;
    loop {
        let page = read(&client, &name, after.clone(), status).await?;
        for item in &page.items {
            println!("{item}");
        }
        if !page.has_more {
            return Ok(());
        }
        // Instead of a loop without an end.
        if page.last.is_none() || page.last == after {
            return Err("the list does not go on".into());
        }
        after = page.last;
    }
}

async fn read(
    client: &rollcall::Client,
    name: &str,
    after: Option<String>,
    status: Option<&str>,
) -> Result<Page, Box<dyn Error>> {
    Ok(match name {
        "automations" => {
            let mut call = client.list_automations();
            if let Some(status) = status {
                call = call.status(status.parse::<AutomationStatus>()?);
            }
            page!(call, after)
        }
        "contact-properties" => page!(client.list_contact_properties(), after),
        _ => {
            let mut call = client.list_contact_imports();
            if let Some(status) = status {
                call = call.status(status.parse::<ContactImportStatus>()?);
            }
            page!(call, after)
        }
    })
}

//! What the command line offers to people: help, manual pages, completions, make.

mod program;

use std::fs;
use std::path::Path;

use program::run;

fn output(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = output(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<String> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect();
    assert!(commands.len() > 8, "{commands:?}");
    commands
}

#[test]
fn every_command_and_every_option_is_explained() {
    for command in commands() {
        let help = output(&[&command, "--help"]);
        assert!(help.contains(&format!("Usage: alea {command}")), "{command}: {help}");
        // Each option's words stand beside it or on the next line.
        let mut lines = help.lines().skip_while(|line| *line != "Options:").skip(1).peekable();
        while let Some(line) = lines.next() {
            if !line.trim_start().starts_with('-') || line.trim_start().starts_with("- ") {
                continue;
            }
            let beside = line.trim_start().split("  ").count() > 1;
            let below = lines.peek().is_some_and(|next| next.trim().len() > 4);
            assert!(beside || below, "{command}: nothing is said of {line:?}");
        }
    }
}

#[test]
fn forgotten_quotes_are_told() {
    for (line, option) in [
        ("analyse --moves e2e4 e7e5", "--moves"),
        ("analyse equalizer --moves roll:N g1f3 --depth 2", "--moves"),
        ("analyse --moves=e2e4 e7e5", "--moves"),
        ("perft --depth 1 --fen 8/8/8/8/8/8/8/8 w - - 0 1", "--fen"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let said = run(&words);
        assert!(!said.status.success() && said.stdout.is_empty(), "{line}");
        let error = String::from_utf8(said.stderr).unwrap();
        let hint = format!("put all the words of {option} together in quotes");
        assert!(error.contains(&hint), "{line}: {error}");
    }
    for line in
        ["analyse draughts", "analyse --moves e2e4 --depth x", "analyse chess e7e5 --moves e2e4"]
    {
        let words: Vec<&str> = line.split(' ').collect();
        let error = String::from_utf8(run(&words).stderr).unwrap();
        assert!(!error.is_empty() && !error.contains("quotes"), "{line}: {error}");
    }
}

#[test]
fn there_is_a_manual_page_of_every_command() {
    let page = output(&["man"]);
    assert!(page.contains(".TH alea 1"), "{page}");
    for command in commands() {
        assert!(page.contains(&command.replace('-', "\\-")), "{command}");
        let page = output(&["man", &command]);
        assert!(page.contains(&format!(".TH alea-{command} 1")), "{command}: {page}");
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
    let output = run(&["man", "draughts"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no command \"draughts\""));
}

#[test]
fn shells_can_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = output(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(script.contains("movetime"), "{shell}");
    }
    assert_eq!(run(&["completions", "dos"]).status.code(), Some(2));
}

/// bash itself reads the script and completes by it.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes() {
    let script = output(&["completions", "bash"]);
    let script = format!(
        "{script}\nCOMP_WORDS=(alea ana); COMP_CWORD=1; _alea alea ana alea; echo \"${{COMPREPLY[@]}}\""
    );
    // Not every machine has it.
    let Ok(said) = std::process::Command::new("bash").args(["-c", &script]).output() else {
        return;
    };
    assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), "analyse");
}

/// The README tells of every command.
#[test]
fn the_readme_lists_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(path).unwrap();
    for command in commands().iter().filter(|&command| command != "uci") {
        assert!(readme.contains(&format!("| `alea {command}")), "{command}");
    }
}

/// Test benches of engines build by `make EXE=name`, and give variables that mean something to others.
#[cfg(unix)]
#[test]
fn make_puts_the_program_where_it_is_wanted() {
    let mut make = std::process::Command::new("make");
    make.current_dir(env!("CARGO_MANIFEST_DIR")).args([
        "-n",
        "-j",
        "EXE=some/where",
        "CXX=g++",
        "CC=gcc",
        "EVALFILE=net",
    ]);
    // Not every machine has it.
    let Ok(said) = make.env("CARGO_TARGET_DIR", "elsewhere").output() else { return };
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.status.success(), "{text}");
    assert!(text.contains("cargo build --release --bin alea"), "{text}");
    assert!(text.contains("cp \"elsewhere/release/alea\" \"some/where\""), "{text}");
}

#[test]
fn the_game_is_a_word_and_help_names_all_games() {
    for command in ["analyse", "match", "openings", "perft", "train", "tune"] {
        let help = output(&[command, "--help"]);
        let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
        for game in alea::game::VARIANTS {
            assert!(words.contains(game), "{command}: {game} is not in\n{help}");
        }
    }
    for arguments in [
        &["perft", "blender100", "--depth", "1"][..],
        &["perft", "--variant", "blender100", "--depth", "1"],
    ] {
        let last = output(arguments).lines().last().map(str::to_owned);
        assert_eq!(last.as_deref(), Some("perft 1 nodes 30"), "{arguments:?}");
    }
    let both = run(&["perft", "chess", "--variant", "blender100", "--depth", "1"]);
    assert_eq!(both.status.code(), Some(2));
}

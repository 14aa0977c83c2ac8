//! The processes of a program that `coordination lead` runs.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

#[cfg(unix)]
use rustix::process::{
    Pid, Signal, WaitOptions, kill_process_group, test_kill_process_group, waitpgid,
};
use tokio::process::{Child, Command};

/// A running program and its process group: all processes that it has started, unless they left the group. On other systems
/// than Unix it is only the program. Dropping it kills them, as the driver does at the end of the term.
pub(super) struct Running {
    child: Child,
    /// `None` when no process is left.
    #[cfg(unix)]
    group: Option<Pid>,
}

impl Running {
    /// Starts a program in a process group of its own.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        command.process_group(0);
        let child = command.kill_on_drop(true).spawn()?;
        Ok(Self {
            #[cfg(unix)]
            group: child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw),
            child,
        })
    }

    /// Waits for the end of the program. Processes that it has started may still run.
    pub(super) async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Asks all processes to stop, and kills those that still run after this time. Returns `true` if there are any.
    pub(super) async fn stop(&mut self, within: Duration) -> bool {
        self.terminate();
        let late = tokio::time::timeout(within, self.all_ended()).await.is_err();
        if late {
            self.kill();
            // If it cannot be waited for, it has ended.
            let _ = self.child.wait().await;
        }
        late
    }
}

#[cfg(unix)]
impl Running {
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // If the signal cannot be sent, all processes have ended.
            let _ = kill_process_group(group, signal);
        }
    }

    fn terminate(&mut self) {
        self.signal(Signal::TERM);
    }

    fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    async fn all_ended(&mut self) {
        // If it cannot be waited for, it has ended.
        let _ = self.child.wait().await;
        while self.group.is_some_and(is_alive) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.group = None;
    }
}

/// Returns `true` if a process is left in a group whose first process has ended.
#[cfg(unix)]
fn is_alive(group: Pid) -> bool {
    // If this is the first process of a container, what the program left is its child now, and counts until it is
    // waited for.
    while matches!(waitpgid(group, WaitOptions::NOHANG), Ok(Some(_))) {}
    test_kill_process_group(group).is_ok()
}

#[cfg(unix)]
impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Elsewhere no signal asks a program to stop.
#[cfg(not(unix))]
impl Running {
    fn terminate(&mut self) {
        self.kill();
    }

    fn kill(&mut self) {
        // If it cannot be killed, it has ended.
        let _ = self.child.start_kill();
    }

    async fn all_ended(&mut self) {
        let _ = self.child.wait().await;
    }
}

/// The exit code of the command for a program that has ended: 128 + N if signal N killed it.
#[cfg(unix)]
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

#[cfg(not(unix))]
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

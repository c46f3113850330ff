{
  description = "Shows what limited a TCP connection, for how long, on what evidence, and what to change";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: rec {
        default = tcpwhy;
        tcpwhy = pkgs.rustPlatform.buildRustPackage {
          pname = "tcpwhy";
          version = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package.version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "tcpwhy" ];
          # Tests make namespaces and time themselves; what a sandbox can show is that the answer is right.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = nixpkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
            $out/bin/tcpwhy man man
            installManPage man/*.1
            installShellCompletion --cmd tcpwhy \
              --bash <($out/bin/tcpwhy completions bash) \
              --zsh <($out/bin/tcpwhy completions zsh) \
              --fish <($out/bin/tcpwhy completions fish)
          '';
          doInstallCheck = true;
          installCheckPhase = ''
            $out/bin/tcpwhy --json samples/send-buffer.pcap.gz | grep -q '"limit":"send_buffer"'
          '';
          meta = {
            description = "Shows what limited a TCP connection, for how long, on what evidence, and what to change";
            homepage = "https://github.com/tcpwhy/tcpwhy";
            license = with nixpkgs.lib.licenses; [ asl20 mit ];
            mainProgram = "tcpwhy";
          };
        };
      });
      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = with pkgs; [ cargo rustc clippy rustfmt nodejs tshark iproute2 ]; };
      });
    };
}

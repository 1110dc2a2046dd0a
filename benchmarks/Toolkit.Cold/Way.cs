namespace BufferedMessages.ColdBenchmarks;

/// <summary>A way to build and publish a program.</summary>
/// <param name="Name">For readers.</param>
/// <param name="Program">The program.</param>
internal sealed record Way(string Name, string Program)
{
    // The folders of publish.sh.
    private static readonly (string Name, string Folder)[] Published =
    [
        ("nothing precompiled", "portable"),
        ("the package", "package"),
        ("the package, and the setting", "setting"),
        ("PublishReadyToRun", "ready"),
        ("PublishReadyToRun, and the setting", "ready-setting"),
        ("native ahead of time", "native"),
    ];

    /// <summary>The ways in a folder that publish.sh has filled.</summary>
    public static List<Way> In(string folder) =>
        [.. Published.Select(way => new Way(way.Name, Path.Combine(folder, way.Folder, OperatingSystem.IsWindows() ? "Toolkit.Cold.exe" : "Toolkit.Cold")))];
}

namespace BufferedMessages.Tool.Tests;

/// <summary>A test in a browser that is installed.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class BrowserFactAttribute : FactAttribute
{
    private static readonly string[] Programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

    public BrowserFactAttribute()
    {
        if (Program is null)
        {
            Skip = "There is no program 'chromium'.";
        }
    }

    /// <summary>Gets the browser; null if there is none.</summary>
    public static string? Program { get; } = Programs.FirstOrDefault(File.Exists);
}

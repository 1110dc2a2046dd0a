using System.Diagnostics;

namespace BufferedMessages.TestKit;

/// <summary>A process that ends with the test that started it, also if the test fails.</summary>
public sealed class TestProcess : Process
{
    private bool _isDisposed;

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_isDisposed)
        {
            _isDisposed = true;
            if (!HasExited)
            {
                Kill(entireProcessTree: true);
                WaitForExit();
            }
        }

        base.Dispose(disposing);
    }
}
